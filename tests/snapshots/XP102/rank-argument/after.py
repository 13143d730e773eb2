import torch
import torch_xla


def worker(gpu, args):
    torch.cuda.set_device(gpu)
    model = torch.nn.Linear(2, 2)
    model.to(torch_xla.device())
