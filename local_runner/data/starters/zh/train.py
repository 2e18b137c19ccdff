"""训练同一文件夹中 submission.py 的网络：让它自己和自己下。

对局中，网络试走每一手，下它认为最好的一手，有时为了探索下别的。每下完一轮，用 TD(lambda) 学习：一个局面的目标介于
最好一手的价值和下一个局面的目标之间，终局的目标就是胜负。
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
from tengen.rl.gymnasium_env import AgainstAgent

import submission

AGENT = Path(submission.__file__)
GAME = submission.GAMES[0]
FIRST, POWERS = torch.tensor(submission.FIRST), torch.tensor(submission.POWERS, dtype=torch.float32)
BOARDS = 256  # 每轮的局数，同时下
OPENING, EXPLORE = 10, 0.7  # 开头这么多手，以及其中探索的概率
LAMBDA = 0.9
RATE = 0.002  # 开始时的学习率，逐渐降到零
BATCH = 1024  # 优化器每一步的局面数
MEASURED = (0.04, 0.2, 1.0)  # 训练到这些比例时测量棋力


def train(network, rounds, seed):
    """训练若干轮；每轮之后产生已过的轮数。"""
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
    """下一轮；返回各局面的状态和目标。"""
    boards, played = Boards(GAME, BOARDS), []
    explore = np.linspace(0, 1, BOARDS) ** 2  # 每个棋盘的探索概率
    while not boards.over.all():
        games, actions = np.nonzero(boards.legal())  # 所有对局的所有着法，一局接一局
        after = boards.copies(games)
        after.play(actions)
        values, discs = -evaluate(network, after), after.planes()[:, 1].sum(axis=(1, 2))
        going, first, number = np.unique(games, return_index=True, return_counts=True)
        best, most = (np.lexsort((key, games))[first + number - 1] for key in (values, discs))  # 每局排在最后的
        other = np.where(going % 2, most, first + (rng.random(len(going)) * number).astype(int))
        exploring = rng.random(len(going)) < np.where(boards.plies < OPENING, EXPLORE, explore)[going]
        chosen = np.where(exploring, other, best)
        played.append((states(boards)[going], going, values[best], chosen == best))
        boards.play(np.bincount(going, actions[chosen], BOARDS).astype(int))
    target, targets = evaluate(network, boards), []
    for _states, going, value, is_best in reversed(played):
        following = (1 - LAMBDA) * value - LAMBDA * target[going]  # 下了一手之后轮到对方
        target[going] = np.where(is_best, following, value)
        targets.append(target[going])
    return torch.cat([each[0] for each in played]), torch.from_numpy(np.concatenate(targets[::-1])).float()


def evaluate(network, boards):
    """返回对轮到下的一方的价值；已结束的对局则是胜负。"""
    with torch.no_grad():
        values = value(network, states(boards)).numpy()
    results = np.where(boards.winner == boards.mover, 1.0, np.where(boards.winner == 3, 0.0, -1.0))
    return np.where(boards.over, results, values)


def value(network, states):
    """由各棋形的状态，返回网络对局面的估价。"""
    return torch.tanh(network(states)[:, 0])


def states(boards):
    """返回各棋形的状态，即权重的下标；形状为（棋盘，位置）。"""
    own, other = torch.from_numpy(boards.planes()).flatten(2).unbind(1)
    return FIRST + ((own + 2 * other) @ POWERS).long()


def pack(weights):
    """把权重写进 submission.py。"""
    text = base64.b85encode(zlib.compress(weights.astype("<f2").tobytes(), 9)).decode()
    packed = "".join(f'    "{text[at : at + 100]}"\n' for at in range(0, len(text), 100))
    old = re.compile(r'^PACKED = (""|\(.*?^\))$', re.MULTILINE | re.DOTALL)
    AGENT.write_text(old.sub(lambda _: f"PACKED = (\n{packed})", AGENT.read_text("utf-8")), "utf-8")


def measure(opponent, games):
    """用 submission.choose 下棋，开头几手随机；返回 [胜, 和, 负]。"""
    rewards = []
    for game in range(games):
        env, rng = AgainstAgent(GAME, opponent, colour=("black", "white")[game % 2]), random.Random(game)
        (observation, _info), over, moves = env.reset(seed=game), False, 0
        while not over:
            own, other = observation["observation"]
            row, col = submission.choose((own + 2 * other).tolist(), 1) or (submission.SIZE, 0)  # 没有着法就停一手
            legal = np.flatnonzero(observation["action_mask"]).tolist()
            action = rng.choice(legal) if moves < 3 else row * submission.SIZE + col
            observation, reward, over, _cut, _info = env.step(action)
            moves += 1
        env.close()
        rewards.append(reward)
    return [rewards.count(each) for each in (1, 0, -1)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=50, help="训练几轮；默认 50")
    parser.add_argument("--games", type=int, default=20, help="对每个对手下几局；默认 20")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    network, kept = torch.nn.EmbeddingBag(len(submission.PATTERNS) * 3**6, 1, mode="sum"), {}
    torch.nn.init.zeros_(network.weight)
    for number in train(network, options.rounds, options.seed):
        if number >= MEASURED[len(kept)] * options.rounds:
            kept[number] = weights = network.weight.detach().numpy()[:, 0].copy()
            pack(weights)
            print(f"第 {number} 轮，处理器时间 {time.process_time():.0f} 秒", flush=True)
    if not options.games:
        return
    for opponent in ("random", "greedy", "level1", "level2"):
        points = []
        for number, submission.WEIGHTS in kept.items():
            won, drawn, lost = measure(opponent, options.games)
            print(f"第 {number} 轮，对 {opponent}：{won} 胜 {drawn} 和 {lost} 负", flush=True)
            points.append(100 * (won + drawn / 2) / options.games)
        plt.plot(list(kept), points, "o-", label=opponent)
    plt.legend()
    plt.gca().set(xlabel="rounds of training", ylabel="points, %")
    plt.savefig(AGENT.with_name("strength.png"))


if __name__ == "__main__":
    main()
