import argparse

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--steps", type=int, default=1)
args = parser.parse_args()
device = "cuda"
model = nn.Linear(8, 1).to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)


def get_batch():
    x = torch.randn(4, 8)
    return x.to(device), x.sum(1, keepdim=True).to(device)


for step in range(100):
    for micro_step in range(args.steps):
        x, y = get_batch()
        loss = nn.functional.mse_loss(model(x), y) / args.steps
        loss.backward()
    optimizer.step()
    optimizer.zero_grad()


def train(count, batches):
    for step in range(100):
        for micro_step in range(count):
            x, y = get_batch()
            loss = nn.functional.mse_loss(model(x), y) / count
            loss.backward()
            print("one")
        optimizer.step()
        optimizer.zero_grad()
        for x, y in batches:
            nn.functional.mse_loss(model(x.to(device)), y.to(device)).backward()
        optimizer.step()
        optimizer.zero_grad()
