import torch
import torch.distributed as dist
from torch.nn import BatchNorm2d, Module, SyncBatchNorm

NORMS = {"bn": BatchNorm2d, "sync": SyncBatchNorm}


class Block(Module):
    def __init__(self, width, norm_layer=SyncBatchNorm):
        super().__init__()
        self.first = norm_layer(width)
        self.second = SyncBatchNorm(width, eps=1e-3)
        self.third = NORMS["sync"](width)


class FrozenNorm(SyncBatchNorm):
    def train(self, mode=True):
        return super().train(False)


def norm_of(name):
    return SyncBatchNorm if name == "sync" else BatchNorm2d


def weights(model):
    return [m.weight for m in model.modules() if isinstance(m, (BatchNorm2d, SyncBatchNorm))]


def main():
    dist.init_process_group("nccl")
    print(weights(Block(4, norm_layer=SyncBatchNorm)))


if __name__ == "__main__":
    main()
