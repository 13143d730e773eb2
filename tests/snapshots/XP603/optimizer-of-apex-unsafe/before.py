import torch
import torch.distributed as dist


def main(lars):
    dist.init_process_group("nccl")
    model = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(4, 1).cuda())
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    if lars:
        from apex.parallel.LARC import LARC

        optimizer = LARC(optimizer=optimizer, trust_coefficient=0.001, clip=False)
    return optimizer


if __name__ == "__main__":
    main(False)
