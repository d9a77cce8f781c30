"""PPO in one file: a network learns a game for two against itself, on `clew.batch`, and is tried against random play.

    pip install clew torch
    python examples/ppo.py palaces --minutes 10

One network plays both seats of all games. What a position is worth is told from the seat that moves, so on the way from
a move to the other seat's answer the sign turns; everything else is plain PPO (clipped, with GAE). For games with a
mask (Palaces, Cardtracks), where each move is an action of its own.
"""

import argparse
import json
import sys
import time

import numpy as np
import torch
from torch import nn

import clew


class Player(nn.Module):
    """Two layers that see an observation, then how much each move is liked and what the position is worth."""

    def __init__(self, features, actions, wide):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(features, wide), nn.ReLU(), nn.Linear(wide, wide), nn.ReLU())
        self.policy, self.value = nn.Linear(wide, actions), nn.Linear(wide, 1)
        for layer in (self.policy, self.value):
            nn.init.normal_(layer.weight, std=0.01)
            nn.init.zeros_(layer.bias)

    def forward(self, obs, mask):
        """The logits of the moves that may be made, and the worth, from -1 to 1."""
        seen = self.body(obs)
        return self.policy(seen).masked_fill(~mask, -1e9), torch.tanh(self.value(seen)).squeeze(-1)


def tensors(env):
    """What the seats see and may do: copies, as the arrays change with the next step."""
    return torch.from_numpy(env.obs.copy()), torch.from_numpy(env.mask.copy())


def collect(env, player, steps, gamma, fade):
    """Play so many steps in each game; all decisions with their advantages and what they turned out to be worth."""
    kept = [[] for _ in range(6)]
    rewards, turns, over = (np.zeros((steps, env.n), np.float32) for _ in range(3))
    with torch.no_grad():
        for t in range(steps):
            obs, mask = tensors(env)
            logits, value = player(obs, mask)
            chances = torch.distributions.Categorical(logits=logits)
            action, seat = chances.sample(), env.seat.copy()
            env.step(action.numpy())
            rewards[t] = env.reward[np.arange(env.n), seat]
            over[t] = env.done
            turns[t] = np.where(env.seat == seat, 1, -1)
            for rows, row in zip(kept, (obs, mask, action, chances.log_prob(action), value)):
                rows.append(row)
        worth = player(*tensors(env))[1].numpy()
    values = torch.stack(kept[4]).numpy()
    advantages, later = np.zeros_like(values), np.zeros(env.n, np.float32)
    for t in reversed(range(steps)):
        goes_on = (1 - over[t]) * turns[t]
        surprise = rewards[t] + gamma * goes_on * worth - values[t]
        advantages[t] = later = surprise + gamma * fade * goes_on * later
        worth = values[t]
    told = [torch.cat(rows) for rows in kept[:4]]
    return *told, torch.from_numpy(advantages.reshape(-1)), torch.from_numpy((advantages + values).reshape(-1))


def improve(player, optimiser, lessons, asked):
    """Some passes over what was played."""
    obs, mask, actions, before, advantages, returns = lessons
    for _ in range(asked.passes):
        for part in torch.randperm(len(obs)).split(asked.minibatch):
            logits, value = player(obs[part], mask[part])
            chances = torch.distributions.Categorical(logits=logits)
            ratio = (chances.log_prob(actions[part]) - before[part]).exp()
            gain = advantages[part]
            gain = (gain - gain.mean()) / (gain.std() + 1e-8)
            clipped = ratio.clamp(1 - asked.clip, 1 + asked.clip)
            loss = -torch.min(ratio * gain, clipped * gain).mean()
            loss = loss + 0.5 * (value - returns[part]).square().mean() - asked.entropy * chances.entropy().mean()
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(player.parameters(), 0.5)
            optimiser.step()


def against_random(player, game, games, seed):
    """The share of games that the network wins, draws being half, from either seat; and what a game is apart."""
    env = clew.batch(game, n=games, seed=seed)
    mine, open_, won = np.arange(games) % 2, np.ones(games, bool), np.zeros(games)
    with torch.no_grad():
        while open_.any():
            logits, _ = player(*tensors(env))
            chosen = torch.distributions.Categorical(logits=logits).sample().numpy()
            env.step(np.where(env.seat == mine, chosen, env.sample()))
            ended = env.done & open_
            won[ended] = (env.reward[np.arange(games), mine][ended] + 1) / 2
            open_ &= ~ended
    return float(won.mean()), 1.96 * float(won.std()) / games**0.5


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="?", default="palaces")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", type=int, default=256, help="that go on together")
    parser.add_argument("--steps", type=int, default=64, help="in each game between two rounds of learning")
    parser.add_argument("--wide", type=int, default=128, help="units of a layer")
    parser.add_argument("--rate", type=float, default=1e-3, help="of learning, falling to 0")
    parser.add_argument("--passes", type=int, default=3)
    parser.add_argument("--minibatch", type=int, default=2048)
    parser.add_argument("--clip", type=float, default=0.2)
    parser.add_argument("--entropy", type=float, default=0.01)
    parser.add_argument("--gamma", type=float, default=1.0)
    parser.add_argument("--fade", type=float, default=0.95, help="the lambda of GAE")
    parser.add_argument("--threads", type=int, default=1, help="of PyTorch: such small layers are no work for more")
    parser.add_argument("--test", type=int, default=2000, help="games against random play at the end")
    parser.add_argument("--save", help="a file for the network")
    asked = parser.parse_args()
    torch.manual_seed(asked.seed)
    torch.set_num_threads(asked.threads)
    env = clew.batch(asked.game, n=asked.games, seed=asked.seed)
    if env.players != 2 or not env.action_spec.flat:
        sys.exit(f"This example learns games for two in which each move is an action; {env.game.title} is not one.")
    player = Player(env.obs_spec.size, env.action_spec.size, asked.wide)
    optimiser = torch.optim.Adam(player.parameters(), lr=asked.rate, eps=1e-5)
    begun, rounds, shown = time.monotonic(), 0, 0.0
    try:
        while (spent := time.monotonic() - begun) < 60 * asked.minutes:
            optimiser.param_groups[0]["lr"] = asked.rate * (1 - spent / (60 * asked.minutes))
            improve(player, optimiser, collect(env, player, asked.steps, asked.gamma, asked.fade), asked)
            rounds += 1
            if spent - shown > 30 or rounds == 1:
                shown = spent
                share, wide = against_random(player, asked.game, 400, asked.seed + 1)
                moves = rounds * asked.steps * asked.games
                print(f"{spent:5.0f} s  {moves:9,} moves  {share:.1%} ± {wide:.1%} against random", flush=True)
    except KeyboardInterrupt:
        print("stopped")
    spent = time.monotonic() - begun
    share, wide = against_random(player, asked.game, asked.test, asked.seed + 2)
    if asked.save:
        torch.save(player.state_dict(), asked.save)
    moves = rounds * asked.steps * asked.games
    found = {"game": asked.game, "seed": asked.seed, "seconds": round(spent), "moves": moves}
    print(json.dumps(found | {"against_random": round(share, 4), "ci95": round(wide, 4), "test_games": asked.test}))


if __name__ == "__main__":
    main()
