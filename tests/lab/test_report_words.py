"""What a report says in words is what its intervals carry, and no more."""

import math
from dataclasses import replace

from reports import changed, compared, item, items, mean, measure, report, run, seats, share

from clew.lab.report.evidence import verdicts
from clew.lab.report.words import words
from clew.lab.result import Candidate


def test_a_seat_that_wins_more_is_said_at_all_levels_of_play():
    said = words(report(run("random", seats(0.503, 20_000)), run("level:3", seats(0.56, 4000))))
    assert said.sentences[0] == (
        "The first seat wins 56 % (54.5–57.5) between good players and 50.3 % (49.6–51) at random; even would be 50 %."
    )
    assert said.surprising[0] == "The first seat wins 56 % (54.5–57.5) between good players, where even would be 50 %."
    assert any("and 50.3 %" in text for text in said.surprising)


def test_a_seat_that_may_be_even_is_not_called_better():
    said = words(report(run("level:3", seats(0.55, 100), games=100)))
    assert said.sentences[0].startswith("No seat is shown to be better: the first seat wins 55 %")
    assert said.surprising == ()
    assert said.unknown == (
        "What a seat is worth between good players: known to ± 9.8 points; for ± 1 it takes about 9,600 games.",
    )


def test_many_seats_are_corrected_for_being_many():
    # 2.2 standard errors: something for one seat, nothing for the greatest of twelve
    eight = [share(f"seat {i}", 0.2 + (0.044 if i == 1 else 0), 400, 0.2) for i in range(1, 6)]
    runs = [run(level, measure("seats", "seats", "share", *eight)) for level in ("random", "level:1", "level:3")]
    assert words(report(*runs)).surprising == ()


def test_no_card_is_called_dead_or_dominant_after_a_few_games():
    sure = item("gem", 0.9, 0.05, games=13, n=13)  # all thirteen went the same way
    unseen = item("dust", 0.0, 0.0, games=0, n=13, offered=40, chosen=0, against_random=0.0)
    found = items(sure, unseen, games=13)
    assert verdicts(found) == {}
    assert words(report(run("level:3", found, games=13))).surprising == ()


def test_a_card_seen_in_a_dozen_of_many_games_is_not_called_anything_either():
    assert verdicts(items(item("gem", -0.9, 0.05, games=13, n=4000), games=4000)) == {}


def test_what_nearly_all_use_is_not_dominant_because_the_one_that_did_not_lost():
    assert verdicts(items(item("advance", 0.5, 0.0, games=2500, without=1), games=2500)) == {}
    assert verdicts(items(item("advance", 0.5, 0.0, games=2500, without=900), games=2500)) == {"advance": "dominant"}


def test_a_list_of_cards_is_corrected_for_its_length():
    lucky = item("lucky", 0.15, 0.09, games=300)  # beyond 5 points by 2.2 standard errors
    assert verdicts(items(lucky)) == {"lucky": "dominant"}
    others = [item(f"card {i}", 0.0, 0.09, games=300) for i in range(40)]
    assert verdicts(items(lucky, *others)) == {}
    clear = item("clear", 0.3, 0.09, games=300)
    assert verdicts(items(clear, *others)) == {"clear": "dominant"}


def test_cards_that_nobody_chooses_are_named():
    dead = item("dust", 0.0, 0.3, games=5, offered=4000, chosen=5, against_random=0.01)
    fine = item("gem", 0.0, 0.05, games=300)
    said = words(report(run("level:3", items(dead, fine))))
    assert said.surprising == ("Seldom chosen between good players: dust.",)


def test_what_a_card_is_worth_is_not_said_to_be_its_doing():
    said = words(report(run("level:3", items(item("gem", 0.3, 0.05, games=300)))))
    assert said.surprising == (
        "Seats that use gem win 30 points more between good players than seats that do not (25–35):"
        " a cause, or a sign of being ahead.",
    )


def test_what_a_card_costs_is_said_without_signs():
    said = words(report(run("level:3", items(item("dust", -0.3, 0.05, games=300)))))
    assert said.surprising[0].startswith("Seats that use dust win 30 points less between good players")
    assert "(25–35)" in said.surprising[0]


def test_levels_that_differ_by_chance_are_not_told_apart():
    one, other = measure("turns", "length", "turns", mean("mean", 40.0, 2.0, 400)), mean("mean", 42.0, 2.0, 400)
    assert (
        words(report(run("random", one), run("level:3", measure("turns", "length", "turns", other)))).surprising == ()
    )
    other = mean("mean", 47.0, 2.0, 400)
    said = words(report(run("random", one), run("level:3", measure("turns", "length", "turns", other))))
    assert said.surprising == ("Turns: 47 (45–49) between good players and 40 (38–42) at random.",)


def test_two_games_that_are_alike_prove_nothing():
    short = [run(level, measure("turns", "length", "turns", mean("mean", t, 0.0, 2)), games=2) for level, t in
             (("random", 40.0), ("level:3", 50.0))]  # fmt: skip
    assert words(report(*short)).surprising == ()
    same = changed("turns", "mean", "turns", 10.0, 0.0, 0.0)
    said = words(report(run("level:3", seats(0.5, 100)), comparisons=(compared(same, games=2),)))
    assert said.changes == ("With rounds 4 in place of 5 nothing is shown to change in 2 games.",)


def test_a_variant_is_said_by_what_it_changes():
    shorter = changed("turns", "mean", "turns", -8.3, 0.4, 1e-9)
    fairer = changed("seats", "seat 1", "share", -0.021, 0.015, 0.01)
    same = changed("ties", "games", "share", 0.001, 0.01, 0.8)
    turns = measure("turns", "length", "turns", mean("mean", 40.0, 2.0, 400), title="Length in turns")
    said = words(report(run("level:3", seats(0.52, 400), turns), comparisons=(compared(same, fairer, shorter),)))
    assert said.sentences[0] == (
        "With rounds 4 in place of 5: Length in turns −8.3 (−8.7 to −7.9); What each seat wins, seat 1 −2.1 points"
        " (−3.6 to −0.6 points)."
    )


def test_a_variant_is_not_said_twice_over():
    both = [changed("endings", name, "share", by, 0.02, 1e-9) for name, by in (("tracks", -0.4), ("decks", 0.4))]
    lengths = [changed(key, "mean", key, 7.0, 0.4, 1e-9) for key in ("moves", "turns", "minutes")]
    said = words(report(run("level:3", seats(0.52, 400)), comparisons=(compared(*both, *lengths),)))
    assert said.changes == (
        "With rounds 4 in place of 5: endings, tracks −40 points (−42 to −38 points); turns +7 (+6.6 to +7.4).",
    )


def test_a_ledger_is_said_by_which_variants_matter():
    telling = compared(changed("turns", "mean", "turns", -8.3, 0.4, 1e-9))
    others = [compared(changed("turns", "mean", "turns", 0.1, 0.4, 0.8), other=i) for i in (6, 7)]
    said = words(report(run("level:3", seats(0.52, 400)), comparisons=(telling, *others)))
    assert said.sentences[0] == "Of 3 variants, 1 is shown to matter: rounds 4."


def test_games_that_were_all_alike_are_not_given_an_interval():
    turns = measure("turns", "length", "turns", mean("mean", 84.0, 0.0, 60))
    assert words(report(run("random", turns, games=60))).sentences == (
        "Every one of the 60 games at random took 84 turns.",
    )


def test_one_game_has_no_interval():
    turns = measure("turns", "length", "turns", mean("mean", 40.0, math.inf, 1), games=1)
    said = words(report(run("level:3", turns, items(item("gem", 0.1, math.inf, games=1, n=1), games=1), games=1)))
    assert said.sentences == ("A game between good players takes 40 turns.",)
    assert said.unknown == ()


def test_nothing_is_said_of_no_games():
    said = words(report(run("random", games=0, finished=False)))
    assert said.sentences == ("No game was played to its end, so there is nothing to say yet.",)
    assert said.surprising == said.unknown == ()


def test_what_comes_nearest_to_the_targets_is_said():
    aimed = share("first_seat", 0.5, 400, 0.5, facts={"unit": "share"})
    near, far = Candidate({"rounds": 4}, 400, 0.0, True, (aimed,)), Candidate({"rounds": 5}, 400, 1.0, False, (aimed,))
    assert words(report(candidates=(near, near, far))).sentences == (
        "With rounds 4 all targets are met: first_seat is 50 % (45.1–54.9), in 400 games.",
        "1 other set meets them, too.",
    )
    (said,) = words(report(candidates=(far,))).sentences
    assert said.startswith("No set of options that was tried meets all targets. rounds 5 comes nearest: first_seat")


def test_an_interrupted_run_is_said_to_be_that():
    said = words(report(run("random", seats(0.5, 40_000), games=40_000, finished=False)))
    assert said.unknown == ("Only 40,000 of 80,000 games at random were played.",)


def test_levels_of_the_same_strength_are_told_apart_by_their_number():
    said = words(report(run("level:3", seats(0.5, 400)), run("level:4", seats(0.5, 400))))
    assert "at level 4" in said.sentences[0]
    assert "at level 3" in said.sentences[0]


def test_games_of_another_contest_are_no_level_of_play():
    top = share("level:3 beats level:1", 0.73, 200, 0.5)
    contest = replace(run("level:3", measure("ladder", "skill", "share", top)), name="skill")
    said = words(report(run("random", seats(0.5, 400)), run("level:3", seats(0.5, 400)), contest))
    assert "between good players" in said.sentences[0]
    assert said.sentences[1] == "Level 3 beats level 1 in 73 % (66.8–79.2) of the games."


def test_variants_are_no_levels_of_play_either():
    base, other = run("level:3", seats(0.5, 400)), replace(run("level:3", seats(0.9, 400)), name="level:3, rounds=4")
    shorter = changed("turns", "mean", "turns", -8.3, 0.4, 1e-9)
    said = words(report(base, other, comparisons=(compared(shorter),)))
    assert said.sentences[1].startswith("No seat is shown to be better: the first seat wins 50 %")
    assert "90 %" not in said.sentences[1]
