import torch
from torch import nn
import hydra


def main(cfg, replay):
    agent = hydra.utils.instantiate(cfg.agent)
    for step in range(cfg.steps):
        metrics = agent.update(replay, step)
        if step % 100 == 0:
            print(metrics)
