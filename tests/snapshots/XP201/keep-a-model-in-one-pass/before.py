import torch
from torch import nn


def returns(model, rewards, observation, steps):
    model = model.cuda()
    rewards = rewards.cuda()
    values = torch.zeros_like(rewards)
    with torch.no_grad():
        for t in reversed(range(steps)):
            # The model runs in the first pass only: all of them are one graph.
            if t == steps - 1:
                value = model(observation.cuda())
            else:
                value = values[t + 1]
            values[t] = rewards[t] + 0.9 * value
    return values


def counted(model, rewards, observation, steps):
    model = model.cuda()
    with torch.no_grad():
        for t in range(steps):
            if t == 0:
                value = model(observation.cuda())
            value = value * 0.9 + rewards[t]
    return value
