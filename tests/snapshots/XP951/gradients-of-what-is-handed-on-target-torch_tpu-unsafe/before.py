from functools import partial
import torch
import torch_xla.core.xla_model as xm
import torch_xla.distributed.xla_multiprocessing as xmp


def train(index):
    model = torch.nn.Linear(2, 2)
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(3):
        model(torch.ones(2, 2)).sum().backward()
        xm.optimizer_step(opt)


start = partial(xmp.spawn, train)
if __name__ == "__main__":
    start()
