import argparse

import torch
import torch_xla
from torch import nn
from tqdm import tqdm


def train(net, batches, optimizer):
    count, bar = 0, tqdm(batches)
    for x in bar:
        loss = net(x.to("xla")).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        torch_xla.sync()
        count += batch_size
        bar.set_description("{}/{} {:.4f}".format(count, epochs, loss.item()))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--batch_size", default=4, type=int)
    parser.add_argument("--epochs", default=2, type=int)
    args = parser.parse_args()
    batch_size, epochs = args.batch_size, args.epochs
    model = nn.Linear(4, 2).to("xla")
    train(model, torch.rand(8, batch_size, 4), torch.optim.SGD(model.parameters(), lr=0.1))
