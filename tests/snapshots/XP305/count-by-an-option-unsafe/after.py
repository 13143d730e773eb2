import argparse

import torch
import torch_xla
import torch_xla.core.xla_model as xm
from torch import nn
from tqdm import tqdm


def train(net, batches, optimizer):
    count, bar = 0, tqdm(batches)
    for x in bar:
        loss = net(x.to("xla")).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        count += batch_size
        xm.add_step_closure(
            lambda count, loss: bar.set_description("{}/{} {:.4f}".format(count, epochs, loss.item())),
            args=(count, loss),
            run_async=True,
        )
        torch_xla.sync()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--batch_size", default=4, type=int)
    parser.add_argument("--epochs", default=2, type=int)
    args = parser.parse_args()
    batch_size, epochs = args.batch_size, args.epochs
    model = nn.Linear(4, 2).to("xla")
    train(model, torch.rand(8, batch_size, 4), torch.optim.SGD(model.parameters(), lr=0.1))
