import multiprocessing

import torch
from torch import multiprocessing as mp
from torch import nn


def seed_all(number):
    torch.manual_seed(number)


def collect(number, queue, policy):
    if number > 0:
        torch.manual_seed(torch.randint(0, 5000, (1,)) * number)
    queue.put(policy(torch.randn(1, 4)).tolist())


class Actor:
    def run(self, number):
        seed_all(number)


def act(number):
    Actor().run(number)


def play(number):
    torch.manual_seed(number)


def start(policy):
    queue = multiprocessing.Queue()
    collect(0, queue, policy)
    context = mp.get_context("spawn")
    for i in range(3):
        multiprocessing.Process(target=collect, args=(i + 1, queue, policy)).start()
        mp.Process(target=act, args=(i,)).start()
        context.Process(target=play, args=(i,)).start()
    policy.to(torch.device("cuda"))


start(nn.Linear(4, 2))
