import torch
import torch_xla
import torch_xla.core.xla_model as xm
import torch_xla.distributed.parallel_loader as pl
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = torch_xla.device()

import argparse
from lib import adjust
parser = argparse.ArgumentParser()
parser.add_argument("--lr", type=float, default=0.1)
model = nn.Linear(8, 4).to(device)
loader = DataLoader(TensorDataset(torch.randn(400, 8), torch.zeros(400).long()), batch_size=4, drop_last=True)

def main():
    args = parser.parse_args()
    opt = torch.optim.SGD(model.parameters(), lr=args.lr)
    for i, (x, y) in enumerate(pl.MpDeviceLoader(loader, device)):
        loss = model(x).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        torch_xla.sync()
        adjust(opt, args)
        if i % 10 == 0:
            xm.add_step_closure(
                lambda lr, loss: print(lr, loss.item()),
                args=(args.lr, loss),
                run_async=True,
            )
    torch_xla.sync()
main()
