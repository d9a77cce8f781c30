"""Options: defaults, ranges, and errors that say what is allowed."""

import pytest

from clew import BadOption
from clew.core.options import Choice, Range, read_options

OPTIONS = (Range("length", 5, 2, 8, "how long"), Choice("lanes", ("own", "shared"), "whose lanes"))


def test_what_is_not_given_has_its_default():
    assert read_options("A game", OPTIONS, {}) == {"length": 5, "lanes": "own"}


def test_values_may_be_text_as_on_a_command_line():
    assert read_options("A game", OPTIONS, {"length": "8", "lanes": "shared"}) == {"length": 8, "lanes": "shared"}


@pytest.mark.parametrize("value", [1, 9, "1", "9", "", "five", 5.5, None, True, "٥0"])
def test_a_number_out_of_range_is_refused(value):
    with pytest.raises(BadOption, match="The option length is a whole number from 2 to 8, not"):
        read_options("A game", OPTIONS, {"length": value})


@pytest.mark.parametrize("value", ["both", "", "Own", 0, None])
def test_a_word_that_is_no_choice_is_refused(value):
    with pytest.raises(BadOption, match="The option lanes is own or shared, not"):
        read_options("A game", OPTIONS, {"lanes": value})


def test_an_unknown_option_is_refused_with_those_there_are():
    with pytest.raises(BadOption, match="A game has no option 'width'; it has length, lanes"):
        read_options("A game", OPTIONS, {"width": 3})


@pytest.mark.parametrize("option", OPTIONS)
def test_codes_lead_back_to_values(option):
    assert option.value(option.code(option.default)) == option.default
