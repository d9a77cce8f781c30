"""Who is called what: names made different, sentences that agree, tables and records that carry them."""

import pytest

import clew
from clew.core.cast import Cast, called, third_person


def test_you_is_said_to_the_chair_that_reads_and_to_nobody_else():
    for you in (0, 1, None):
        cast = Cast(("Ann", "Cat"), you)
        for seat, name in enumerate(cast.names):
            own = seat == you
            assert cast.does(seat, "send") == ("You send" if own else f"{name} sends")
            assert cast.does(seat, "send", inside=True) == ("you send" if own else f"{name} sends")
            assert cast.does(seat, "be") == ("You are" if own else f"{name} is")
            assert cast.does(seat, "have") == ("You have" if own else f"{name} has")
            assert cast.whose(seat) == ("Your" if own else f"{name}'s")
            assert cast.whose(seat, inside=True) == ("your" if own else f"{name}'s")
            assert cast.who(seat) == ("You" if own else name)
            assert cast.whom(seat) == ("you" if own else name)


def test_several_share_a_verb_and_you_come_first():
    cast = Cast(("Ann", "Cat", "Owl"), you=2)
    assert cast.do((0, 1, 2), "share") == "You, Ann and Cat share"
    assert cast.do((0, 1), "be") == "Ann and Cat are"
    assert cast.do((2,), "win") == "You win"
    assert cast.do((0, 2), "win", inside=True) == "you and Ann win"
    assert cast.all((1, 0)) == "Cat and Ann"


@pytest.mark.parametrize(
    ("verb", "third"),
    [
        ("put", "puts"),
        ("pass", "passes"),
        ("reach", "reaches"),
        ("try", "tries"),
        ("lay", "lays"),
        ("do", "does"),
        ("y", "ys"),
    ],
)
def test_a_verb_after_a_name(verb, third):
    assert third_person(verb) == third


@pytest.mark.parametrize(
    ("given", "bots", "names"),
    [
        (["", ""], (), ("Blue", "Red")),
        (["Ann", ""], (), ("Ann", "Red")),
        (["Ann", "Ann", "ann"], (), ("Ann", "Ann 2", "ann 3")),
        (["", "Cat"], (1,), ("Blue", "Cat")),
        (["Cat", "Cat", "Fox"], (0, 1, 2), ("Cat", "Grey Cat", "Fox")),
        (["Cat", "Cat"], (0,), ("Grey Cat", "Cat")),  # who calls herself Cat is Cat
        ([""] + ["Ant"] * 5, (1, 2, 3, 4, 5), ("Blue", "Ant", "Grey Ant", "Old Ant", "Young Ant", "Wild Ant")),
        (["Red", ""], (), ("Red 2", "Red")),  # the colour belongs to its seat
        (["", "Red"], (), ("Blue", "Red")),
        (["You", "you"], (), ("You 2", "you 3")),
    ],
)
def test_everybody_has_one_name_and_no_two_have_the_same(given, bots, names):
    assert called(given, bots) == names
    assert called(names) == names  # given as they are they stay


def test_a_table_speaks_of_its_people_by_name():
    t = clew.new("palaces", seed=7, names=["Ann", "Cat"])
    assert t.names == ("Ann", "Cat")
    t.play("K3:a", 0)
    assert [str(event) for event in t.events(1)] == [
        "Ann begins.",
        "Ann plays Knossos 3 and sends an archaeologist.",
        "Ann draws a card.",
    ]
    assert [str(event) for event in t.events(0, you=True)] == [
        "You begin.",
        "You play Knossos 3 and send an archaeologist.",
        "You draw Malia 9.",
    ]
    with pytest.raises(clew.IllegalMove, match="It is Cat's turn, not yours"):
        t.play("-K4", 0)
    with pytest.raises(clew.CannotUndo, match="The last move is Ann's: only Ann can take it back"):
        t.undo(1)


def test_without_names_the_seats_have_their_colours():
    t = clew.new("labyrinth", players=3, seed=1)
    assert t.names == ("Blue", "Red", "Gold")
    t.names = ["", "Ann", ""]
    assert t.names == ("Blue", "Ann", "Gold")


@pytest.mark.parametrize(
    "names", ["AB", 7, ["Ann"], ["Ann", "Bob", "Cid"], ["Ann", 7], ["Ann", "x" * 41], ["Ann", "a\nb"], [" Ann", "Bob"]]
)
def test_bad_names_are_refused_in_one_sentence(names):
    with pytest.raises(clew.BadOption, match=r"^[^.]+\.$") as error:
        clew.new("palaces", seed=7, names=names)
    assert error.value.about == "names"


def test_a_record_carries_the_names_and_decides_nothing_by_them():
    t = clew.new("palaces", seed=7, names=["Ann", ""])
    t.play("-K3", 0)
    text = t.record()
    assert text.splitlines()[:3] == ["clew-record 1", "# name 0: Ann", "# name 1: Red"]
    assert clew.replay(text).names == ("Ann", "Red")
    assert clew.replay(text).record() == text
    assert "# name" not in clew.new("palaces", seed=7).record()
    strange = text.replace("# name 0: Ann", "# name 0: " + "x\x1b" * 100).replace("# name 1: Red", "# name 9: Bob")
    again = clew.replay(strange)
    assert again.names == ("x" * 40, "Red")
    assert again.view(0) == t.view(0)


def test_a_game_without_say_says_its_moves_as_they_are_written():
    from pathlib import Path

    t = clew.new(Path(__file__).parent / "pebbles", seed=1)
    assert t.say("take 2") == ("take 2", "take 2")
    assert t.say(t.legal_moves()[0]).long == str(t.legal_moves()[0])
