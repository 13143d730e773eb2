import torch
import cuda
from mylib import torch as backend


class Backends:
    def version(self):
        return 1


cudnn = Backends()
print(cudnn.version(), cuda.get_arch_list(), backend.cuda.get_arch_list(), torch.backends.mps.is_available())


def f(torch):
    return torch.cuda.get_arch_list()
