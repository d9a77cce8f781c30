"""Who thinks next: the order in which slow work is done, without threads and without a clock.

Work has a purpose, and a more urgent purpose goes first. Within a purpose addresses take turns, at an address its
people, and what one person wants is done in the order in which it was asked for. Identities are free, so a turn belongs
to an address first: a hundred guests of one address delay somebody at another address by one job.
"""

from __future__ import annotations

import contextlib
from collections import Counter, OrderedDict, deque
from collections.abc import Iterator
from enum import IntEnum
from typing import Generic, NamedTuple, TypeVar

from clew.core.errors import ClewError

PATIENCE = 16  # more urgent jobs that go before others; then it is the turn of those


class Purpose(IntEnum):
    """What is thought for, the most urgent first."""

    OPPONENT = 0  # a bot at a table where people play
    HINT = 1
    WATCHED = 2  # a bot at a table where no person plays
    REVIEW = 3  # of a game that is over

    @property
    def label(self) -> str:
        """As metrics name it."""
        return self.name.lower()


class Owner(NamedTuple):
    """Whose turn a job takes."""

    address: str
    person: str = ""


class TooMany(ClewError):
    """More at once than one person or one address may have."""


class Job:
    """Something to be done. `interrupted` counts the more urgent jobs in a row that were done in the midst of it."""

    def __init__(self, purpose: Purpose, owner: Owner) -> None:
        self.purpose, self.owner = purpose, owner
        self.interrupted = 0


J = TypeVar("J", bound=Job)


class Rotation(Generic[J]):
    """The jobs of one purpose, by address and person, in the order of their turns."""

    def __init__(self) -> None:
        self._turns: OrderedDict[str, OrderedDict[str, deque[J]]] = OrderedDict()
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def add(self, job: J) -> None:
        """Put a job behind what its owner wanted before."""
        people = self._turns.setdefault(job.owner.address, OrderedDict())
        people.setdefault(job.owner.person, deque()).append(job)
        self._count += 1

    def take(self) -> J:
        """The next job; its person and its address are last from now on."""
        address, people = next(iter(self._turns.items()))
        person, jobs = next(iter(people.items()))
        job = jobs.popleft()
        people.move_to_end(person)
        self._turns.move_to_end(address)
        self._forget(job)
        return job

    def remove(self, job: J) -> bool:
        """Give up a job; whether it was still waiting."""
        people = self._turns.get(job.owner.address, OrderedDict())
        if job not in people.get(job.owner.person, ()):
            return False
        people[job.owner.person].remove(job)
        self._forget(job)
        return True

    def _forget(self, job: J) -> None:
        """One job less; a person and an address without jobs have no turn."""
        self._count -= 1
        people = self._turns[job.owner.address]
        if not people[job.owner.person]:
            del people[job.owner.person]
        if not people:
            del self._turns[job.owner.address]


class Scheduler(Generic[J]):
    """The jobs that wait.

    >>> scheduler = Scheduler[Job]()
    >>> watched, opponent = Job(Purpose.WATCHED, Owner("a")), Job(Purpose.OPPONENT, Owner("b"))
    >>> scheduler.submit(watched)
    >>> scheduler.submit(opponent)
    >>> scheduler.next() is opponent
    True
    """

    def __init__(self) -> None:
        self._waiting = {purpose: Rotation[J]() for purpose in Purpose}
        self._passed = dict.fromkeys(Purpose, 0)  # more urgent jobs that went before those that wait

    def submit(self, job: J) -> None:
        """A job waits from now on."""
        if not self._waiting[job.purpose]:
            self._passed[job.purpose] = 0
        self._waiting[job.purpose].add(job)

    def next(self) -> J | None:
        """The job to be done next; None if none waits."""
        waiting = [purpose for purpose in Purpose if self._waiting[purpose]]
        if not waiting:
            return None
        due = [purpose for purpose in waiting if self._passed[purpose] >= PATIENCE]
        chosen = due[0] if due else waiting[0]
        for purpose in waiting:
            self._passed[purpose] += purpose > chosen
        self._passed[chosen] = 0
        return self._waiting[chosen].take()

    def next_before(self, job: J) -> J | None:
        """A more urgent job, to be done in the midst of one that has begun; None if that one is to go on a little."""
        urgent = next((purpose for purpose in Purpose if self._waiting[purpose]), None)
        if urgent is None or urgent >= job.purpose or job.interrupted >= PATIENCE:
            job.interrupted = 0
            return None
        job.interrupted += 1
        return self._waiting[urgent].take()

    def withdraw(self, job: J) -> bool:
        """Give up a job; whether it was still waiting."""
        return self._waiting[job.purpose].remove(job)

    def waiting(self, purpose: Purpose) -> int:
        """How many jobs of a purpose wait."""
        return len(self._waiting[purpose])


class Quota:
    """So many of something at once for a person, and for all people of an address."""

    def __init__(self, of_person: int, of_address: int, sentence: str) -> None:
        self._most = {"person": of_person, "address": of_address}
        self._open: Counter[tuple[str, str]] = Counter()
        self._sentence = sentence

    @contextlib.contextmanager
    def hold(self, owner: Owner) -> Iterator[None]:
        """Count one more for its owner as long as the block lasts; raises TooMany."""
        kept = [(kind, name) for kind, name in owner._asdict().items() if name]
        if any(self._open[kind, name] >= self._most[kind] for kind, name in kept):
            raise TooMany(self._sentence)
        self._open.update(kept)
        try:
            yield
        finally:
            self._open.subtract(kept)
            for one in kept:
                if not self._open[one]:
                    del self._open[one]
