"""A review names the best move that its critic found, even where the critic as a player would slip."""

import clew
from clew.bots.review import judge
from clew.core.rng import below, stream

LEVEL = 1  # slips in seven moves of ten


def played(moves):
    t, rng = clew.new("palaces", seed=3), stream(3, "play")
    for _ in range(moves):
        legal = t.legal_moves()
        t.play(legal[below(rng, len(legal))])
    return t


def test_the_critic_does_not_slip(palaces):
    t = played(40)
    again, slipped = clew.new("palaces", seed=3), 0
    for judged in judge(t, t.moves, LEVEL):
        choice = clew.bot("palaces", LEVEL, seed=0).choose(again.view(judged.seat))
        assert judged.best == choice.alternatives[0].move
        assert judged.win == choice.alternatives[0].win
        assert judged.loss >= 0
        slipped += choice != judged.best
        again.play(judged.move, judged.seat)
    assert slipped > 10
