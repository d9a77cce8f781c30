"""How fast the doors are, next to other libraries in the same run: `make bench-doors`.

Arrays: The Lost Palaces by `clew.batch` against Leduc poker by Pgx on this processor and by PettingZoo, all with random
legal moves. Leduc is the smaller game by far: two moves or three, six cards, 34 features against our 782. Of Pgx the
faster of two ways counts: steps called one by one from Python, as ours are, or a hundred of them in one compiled scan.
An environment of PettingZoo against an environment of PettingZoo: ours and its Leduc, in the same loop.

What is compared takes turns, and the median of the ratios counts; figures are steps a second of wall time, and of
processor time, which tells more where others use the machine too.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import clew
from clew.adapters import pettingzoo

try:
    import jax
    import jax.numpy as jnp
    import pgx
    from pettingzoo.classic import leduc_holdem_v4
    from pgx.experimental import auto_reset
except ModuleNotFoundError as missing:
    raise SystemExit(f"{missing}: this needs an environment of its own, which `make bench-doors` makes.") from None

SCAN = 100  # steps in one call
WANTED = {"batch_to_pgx": 3, "batch_to_pettingzoo": 100, "aec_to_pettingzoo": 3}

Figures = dict[str, float]


def rate(steps: int, run: Callable[[], None]) -> Figures:
    """Steps a second."""
    wall, spent = time.perf_counter(), time.process_time()
    run()
    return {"wall": steps / (time.perf_counter() - wall), "processor": steps / (time.process_time() - spent)}


def batch(game: str, n: int, rounds: int) -> Callable[[], Figures]:
    """Random games as arrays; actions are drawn, too."""
    env = clew.batch(game, n=n, seed=1)

    def run() -> None:
        for _ in range(rounds):
            env.step(env.sample())

    run()
    return lambda: rate(n * rounds, run)


def pgx_steps(n: int, rounds: int) -> Callable[[], Figures]:
    """The same in Pgx, each step called from Python."""
    init, step, key = _pgx()
    state = init(jax.random.split(key, n))

    def run() -> None:
        nonlocal state, key
        for _ in range(rounds):
            key, state = step(key, state)
        jax.block_until_ready(state)

    run()
    return lambda: rate(n * rounds, run)


def pgx_scan(n: int, rounds: int) -> Callable[[], Figures]:
    """The same, many steps in one call."""
    init, step, key = _pgx()
    state = init(jax.random.split(key, n))
    calls = max(1, rounds // SCAN)

    @jax.jit
    def many(key: Any, state: Any) -> Any:
        return jax.lax.scan(lambda carry, _: (step(*carry), None), (key, state), None, length=SCAN)[0]

    def run() -> None:
        nonlocal state, key
        for _ in range(calls):
            key, state = many(key, state)
        jax.block_until_ready(state)

    run()
    return lambda: rate(n * SCAN * calls, run)


def _pgx() -> tuple[Any, Any, Any]:
    env = pgx.make("leduc_holdem")
    one = auto_reset(env.step, env.init)

    @jax.jit
    def step(key: Any, state: Any) -> Any:
        key, chance, deal = jax.random.split(key, 3)
        actions = jax.random.categorical(chance, jnp.where(state.legal_action_mask, 0.0, -1e9), axis=-1)
        return key, jax.vmap(one)(state, actions, jax.random.split(deal, len(actions)))

    return jax.jit(jax.vmap(env.init)), step, jax.random.PRNGKey(1)


def agents(env: Any, steps: int) -> Callable[[], Figures]:
    """An environment of PettingZoo: what the agent sees, one of its legal moves, the next."""
    rng = np.random.default_rng(1)
    env.reset(seed=1)

    def run() -> None:
        made = 0
        while made < steps:
            seen, _, termination, truncation, _ = env.last()
            if termination or truncation:
                env.reset()
                continue
            legal = seen["action_mask"].nonzero()[0]
            env.step(legal[int(rng.random() * len(legal))])
            made += 1

    run()
    return lambda: rate(steps, run)


def compare(measured: dict[str, Callable[[], Figures]], repeats: int) -> dict[str, list[Figures]]:
    """Measure one after the other, and all again."""
    found: dict[str, list[Figures]] = {name: [] for name in measured}
    for turn in range(repeats):
        for name, measure in measured.items():
            if sys.stderr.isatty():
                print(f"\r\033[K{turn + 1}/{repeats} {name}", end="", file=sys.stderr, flush=True)
            found[name].append(measure())
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)
    return found


def ratio(found: dict[str, list[Figures]], ours: str, others: tuple[str, ...], clock: str) -> float:
    """The median of the ratios to the fastest of the others, turn by turn."""
    turns = zip(found[ours], *(found[name] for name in others))
    return statistics.median(own[clock] / max(other[clock] for other in rest) for own, *rest in turns)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--n", type=int, default=4096, help="environments that go on together")
    parser.add_argument("--rounds", type=int, default=200, help="steps of each in one measurement")
    parser.add_argument("--steps", type=int, default=20_000, help="of an environment of PettingZoo")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    found = compare(
        {
            "batch": batch("palaces", asked.n, asked.rounds),
            "pgx_steps": pgx_steps(asked.n, asked.rounds),
            "pgx_scan": pgx_scan(asked.n, asked.rounds),
            "aec": agents(pettingzoo.env("palaces"), asked.steps),
            "pettingzoo": agents(leduc_holdem_v4.env(), asked.steps),
        },
        asked.repeats,
    )
    pairs = {
        "batch_to_pgx": ("batch", ("pgx_steps", "pgx_scan")),
        "batch_to_pettingzoo": ("batch", ("pettingzoo",)),
        "aec_to_pettingzoo": ("aec", ("pettingzoo",)),
    }
    ratios = {
        name: {clock: round(ratio(found, *pair, clock), 2) for clock in ("wall", "processor")}
        for name, pair in pairs.items()
    }
    rates = {
        name: {clock: round(statistics.median(one[clock] for one in turns)) for clock in ("wall", "processor")}
        for name, turns in found.items()
    }
    versions = {"pgx": pgx.__version__, "jax": jax.__version__}
    if asked.json:
        about = {"n": asked.n, "cores": os.cpu_count(), "load": os.getloadavg()[0], "versions": versions}
        print(json.dumps({"steps_per_s": rates, "ratios": ratios, "wanted": WANTED} | about))
        return
    print(f"{'steps a second':22}{'wall':>12}{'processor':>12}")
    for name, rated in rates.items():
        print(f"{name:22}{rated['wall']:12,}{rated['processor']:12,}")
    print(f"\n{'ratio':22}{'wall':>12}{'processor':>12}{'wanted':>12}")
    for name, found_ratio in ratios.items():
        print(f"{name:22}{found_ratio['wall']:12.2f}{found_ratio['processor']:12.2f}{WANTED[name]:12}")
    print(f"\n{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, Pgx {pgx.__version__}, JAX {jax.__version__}")


if __name__ == "__main__":
    main()
