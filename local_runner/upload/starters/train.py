"""Trains the network of submission.py, which lies beside this file, by games against itself.

In a game, the network tries all moves and plays the one that it likes best, or another one, to explore. After a round
of games it learns by TD(lambda): the target of a position lies between the value of its best move and the target of
the next position. The target of the last position is the result.
"""

import argparse
import base64
import random
import re
import time
import zlib
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import torch
from tengen.rl.boards import Boards
from tengen.rl.environments import AgainstAgent

import submission

AGENT = Path(submission.__file__)
GAME = submission.GAMES[0]
FIRST, POWERS = torch.tensor(submission.FIRST), torch.tensor(submission.POWERS, dtype=torch.float32)
BOARDS = 256  # games of a round, played at once
OPENING, EXPLORE = 10, 0.7  # in the first moves of a game, the probability to explore
LAMBDA = 0.9
RATE = 0.002  # learning rate at the beginning; it falls to zero
BATCH = 1024  # positions of a step of the optimiser
MEASURED = (0.04, 0.2, 1.0)  # shares of the training after which the strength is measured


def train(network, rounds, seed):
    """Train for some rounds; yields the number of rounds so far after each."""
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    rng, optimiser = np.random.default_rng(seed), torch.optim.Adam(network.parameters())
    for number in range(rounds):
        optimiser.param_groups[0]["lr"] = RATE * (1 - number / rounds)
        positions, targets = play(network, rng)
        for batch in torch.randperm(len(targets)).split(BATCH):
            optimiser.zero_grad()
            torch.nn.functional.mse_loss(value(network, positions[batch]), targets[batch]).backward()
            optimiser.step()
        yield number + 1


def play(network, rng):
    """Play a round of games; returns the states of its positions, and their targets."""
    boards, played = Boards(GAME, BOARDS), []
    explore = np.linspace(0, 1, BOARDS) ** 2  # the probability of each board
    while not boards.over.all():
        games, actions = np.nonzero(boards.legal())  # all moves of all games, game by game
        after = boards.copies(games)
        after.play(actions)
        values, discs = -evaluate(network, after), after.planes()[:, 1].sum(axis=(1, 2))
        going, first, number = np.unique(games, return_index=True, return_counts=True)
        best, most = (np.lexsort((key, games))[first + number - 1] for key in (values, discs))  # the last of each game
        other = np.where(going % 2, most, first + (rng.random(len(going)) * number).astype(int))
        exploring = rng.random(len(going)) < np.where(boards.plies < OPENING, EXPLORE, explore)[going]
        chosen = np.where(exploring, other, best)
        played.append((states(boards)[going], going, values[best], chosen == best))
        boards.play(np.bincount(going, actions[chosen], BOARDS).astype(int))
    target, targets = evaluate(network, boards), []
    for _states, going, value, is_best in reversed(played):
        following = (1 - LAMBDA) * value - LAMBDA * target[going]  # after a move, the opponent is to move
        target[going] = np.where(is_best, following, value)
        targets.append(target[going])
    return torch.cat([each[0] for each in played]), torch.from_numpy(np.concatenate(targets[::-1])).float()


def evaluate(network, boards):
    """Return the values for the side to move; of games that are over, the results."""
    with torch.no_grad():
        values = value(network, states(boards)).numpy()
    results = np.where(boards.winner == boards.mover, 1.0, np.where(boards.winner == 3, 0.0, -1.0))
    return np.where(boards.over, results, values)


def value(network, states):
    """Return the values that the network gives to positions, by the states of their patterns."""
    return torch.tanh(network(states)[:, 0])


def states(boards):
    """Return the states of the patterns, as indices of the weights; shape (boards, places)."""
    own, other = torch.from_numpy(boards.planes()).flatten(2).unbind(1)
    return FIRST + ((own + 2 * other) @ POWERS).long()


def pack(weights):
    """Write the weights into submission.py."""
    text = base64.b85encode(zlib.compress(weights.astype("<f2").tobytes(), 9)).decode()
    packed = "".join(f'    "{text[at : at + 100]}"\n' for at in range(0, len(text), 100))
    old = re.compile(r'^PACKED = (""|\(.*?^\))$', re.MULTILINE | re.DOTALL)
    AGENT.write_text(old.sub(lambda _: f"PACKED = (\n{packed})", AGENT.read_text("utf-8")), "utf-8")


def measure(opponent, games):
    """Play games by submission.choose, the first moves at random; returns [won, drawn, lost]."""
    rewards = []
    for game in range(games):
        env, rng = AgainstAgent(GAME, opponent, colour=("black", "white")[game % 2]), random.Random(game)
        (observation, _info), over, moves = env.reset(seed=game), False, 0
        while not over:
            own, other = observation["observation"]
            row, col = submission.choose((own + 2 * other).tolist(), 1) or (submission.SIZE, 0)  # no move: the pass
            legal = np.flatnonzero(observation["action_mask"]).tolist()
            action = rng.choice(legal) if moves < 3 else row * submission.SIZE + col
            observation, reward, over, _cut, _info = env.step(action)
            moves += 1
        env.close()
        rewards.append(reward)
    return [rewards.count(each) for each in (1, 0, -1)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=50, help="rounds of training; default: 50")
    parser.add_argument("--games", type=int, default=20, help="games against each opponent; default: 20")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    network, kept = torch.nn.EmbeddingBag(len(submission.PATTERNS) * 3**6, 1, mode="sum"), {}
    torch.nn.init.zeros_(network.weight)
    for number in train(network, options.rounds, options.seed):
        if number >= MEASURED[len(kept)] * options.rounds:
            kept[number] = weights = network.weight.detach().numpy()[:, 0].copy()
            pack(weights)
            print(f"round {number}, {time.process_time():.0f} s of CPU time", flush=True)
    if not options.games:
        return
    for opponent in ("random", "greedy", "level1", "level2"):
        points = []
        for number, submission.WEIGHTS in kept.items():
            won, drawn, lost = measure(opponent, options.games)
            print(f"round {number}, against {opponent}: {won} won, {drawn} drawn, {lost} lost", flush=True)
            points.append(100 * (won + drawn / 2) / options.games)
        plt.plot(list(kept), points, "o-", label=opponent)
    plt.legend()
    plt.gca().set(xlabel="rounds of training", ylabel="points, %")
    plt.savefig(AGENT.with_name("strength.png"))


if __name__ == "__main__":
    main()
