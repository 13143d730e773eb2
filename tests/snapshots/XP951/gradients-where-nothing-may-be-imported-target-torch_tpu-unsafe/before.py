import torch
import torch_xla.core.xla_model as xm

try:
    import torch_xla.distributed.xla_multiprocessing as xmp
except ImportError:
    xmp = None


def train(index):
    model = torch.nn.Linear(2, 2)
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    model(torch.ones(2, 2)).sum().backward()
    xm.optimizer_step(opt)


if __name__ == "__main__":
    getattr(xmp, "spawn")(train)
