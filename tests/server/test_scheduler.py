"""Who thinks next: the order of jobs by purpose, address and person, counted and not timed."""

import random
from collections import Counter

import pytest

from clew.server.scheduler import PATIENCE, Job, Owner, Purpose, Quota, Scheduler, TooMany

OPPONENT, HINT, WATCHED, REVIEW = Purpose


def filled(*jobs):
    scheduler = Scheduler()
    for job in jobs:
        scheduler.submit(job)
    return scheduler


def jobs(count, purpose, address="1.1.1.1", person="eve"):
    return [Job(purpose, Owner(address, person)) for _ in range(count)]


def drain(scheduler):
    found = []
    while (job := scheduler.next()) is not None:
        found.append(job)
    return found


def test_a_persons_opponent_is_next_whatever_waits():
    (opponent,) = jobs(1, OPPONENT, "2.2.2.2", "ann")
    scheduler = filled(*jobs(90, WATCHED), *jobs(100, HINT), *jobs(8, REVIEW), opponent)
    assert scheduler.next() is opponent


def test_purposes_go_in_their_order():
    every = [job for purpose in reversed(Purpose) for job in jobs(3, purpose)]
    assert [job.purpose for job in drain(filled(*every))] == [OPPONENT] * 3 + [HINT] * 3 + [WATCHED] * 3 + [REVIEW] * 3


@pytest.mark.parametrize("purpose", Purpose)
def test_who_wants_one_thing_is_served_second(purpose):
    (one,) = jobs(1, purpose, "2.2.2.2", "ann")
    assert drain(filled(*jobs(100, purpose), one)).index(one) == 1


@pytest.mark.parametrize("purpose", Purpose)
def test_a_hundred_guests_of_one_address_have_one_turn(purpose):
    guests = [Job(purpose, Owner("1.1.1.1", f"guest{i}")) for i in range(100)]
    (one,) = jobs(1, purpose, "2.2.2.2", "ann")
    assert drain(filled(*guests, one)).index(one) == 1


def test_the_people_of_an_address_take_turns():
    eves, (one,) = jobs(100, HINT), jobs(1, HINT, person="ann")
    assert drain(filled(*eves, one)).index(one) == 1


def test_what_one_person_wants_is_done_in_its_order():
    wanted = jobs(20, WATCHED)
    assert drain(filled(*wanted)) == wanted


def test_in_any_mixture_nobody_is_served_twice_before_another_who_waits():
    rng = random.Random(17)
    for _ in range(200):
        owners = [Owner(f"{rng.randrange(4)}", f"{rng.randrange(3)}") for _ in range(60)]
        served = [job.owner for job in drain(filled(*(Job(HINT, owner) for owner in owners)))]
        assert sorted(served) == sorted(owners)
        for at in range(len(served)):  # as long as two addresses wait, neither is a turn ahead
            waiting = {owner.address for owner in served[at:]}
            turns = Counter(owner.address for owner in served[:at] if owner.address in waiting)
            assert not waiting or max(turns[one] for one in waiting) - min(turns[one] for one in waiting) <= 1


def test_somebody_who_asks_again_and_again_waits_for_the_others():
    scheduler = filled(*jobs(1, HINT), *jobs(3, HINT, "2.2.2.2", "ann"))
    order = []
    for _ in range(6):
        job = scheduler.next()
        order.append(job.owner.person)
        if job.owner.person == "eve":
            scheduler.submit(*jobs(1, HINT))
    assert order == ["eve", "ann", "eve", "ann", "eve", "ann"]


def test_a_job_that_has_begun_makes_way_for_what_is_more_urgent_and_for_nothing_else():
    for begun in Purpose:
        for other in Purpose:
            (running,), (waiting,) = jobs(1, begun), jobs(1, other, "2.2.2.2", "ann")
            expected = waiting if other < begun else None
            assert filled(waiting).next_before(running) is expected


def test_two_reviews_delay_opponents_by_no_job_at_all():
    """With one thread: a position of a review has begun, opponents come, and each is done before the review goes on."""
    first, second = jobs(2, REVIEW)
    scheduler = filled(first, second)
    assert scheduler.next() is first
    for opponent in jobs(3 * PATIENCE, OPPONENT, "2.2.2.2", "ann"):
        scheduler.submit(opponent)
        assert scheduler.next_before(first) is opponent
        assert scheduler.next_before(first) is None


@pytest.mark.parametrize("purpose", [HINT, WATCHED, REVIEW])
def test_nothing_waits_for_ever(purpose):
    """Opponents never cease; what is less urgent is begun, and goes on a step, after so many of them."""
    (patient,) = jobs(1, purpose, "2.2.2.2", "ann")
    scheduler = filled(patient, *jobs(100, OPPONENT))
    before = []
    while (job := scheduler.next()) is not patient:
        before.append(job.purpose)
    assert before == [OPPONENT] * PATIENCE
    for _ in range(3):  # between two steps of it
        made_way = 0
        while scheduler.next_before(patient) is not None:
            made_way += 1
        assert made_way == PATIENCE


def test_patience_is_for_those_who_wait_and_not_for_those_who_come():
    scheduler = filled(*jobs(PATIENCE, OPPONENT))
    drain(scheduler)
    scheduler.submit(*jobs(1, REVIEW))
    (opponent,) = jobs(1, OPPONENT)
    scheduler.submit(opponent)
    assert scheduler.next() is opponent


def test_a_job_that_was_given_up_is_not_done():
    first, second, third = jobs(3, HINT)
    scheduler = filled(first, second, third)
    assert scheduler.withdraw(second)
    assert not scheduler.withdraw(second)
    assert scheduler.waiting(HINT) == 2
    assert drain(scheduler) == [first, third]
    assert not scheduler.withdraw(first)
    assert scheduler.next() is None
    assert scheduler.waiting(HINT) == 0


def test_a_quota_is_for_a_person_and_for_an_address():
    quota = Quota(2, 3, "That is enough.")
    ann, bob = Owner("1.1.1.1", "ann"), Owner("1.1.1.1", "bob")
    with quota.hold(ann), quota.hold(ann):
        with pytest.raises(TooMany, match="That is enough"), quota.hold(ann):
            pass
        with quota.hold(bob):
            with pytest.raises(TooMany), quota.hold(bob):
                pass
            with quota.hold(Owner("2.2.2.2", "cid")):
                pass
    with quota.hold(ann), quota.hold(ann), quota.hold(bob):
        pass


def test_somebody_without_an_identity_is_counted_by_the_address_alone():
    quota = Quota(1, 2, "That is enough.")
    nobody, elsewhere = Owner("1.1.1.1"), Owner("2.2.2.2")
    with quota.hold(nobody), quota.hold(nobody), quota.hold(elsewhere), pytest.raises(TooMany), quota.hold(nobody):
        pass
