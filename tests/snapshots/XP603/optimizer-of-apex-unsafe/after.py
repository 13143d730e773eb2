import torch
import torch.distributed as dist
import torch_xla
import torch_xla.distributed.xla_backend


def main(lars):
    dist.init_process_group("xla", init_method="xla://")
    model = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(4, 1).cuda(), gradient_as_bucket_view=True)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    if lars:
        from apex.parallel.LARC import LARC

        optimizer = LARC(optimizer=optimizer, trust_coefficient=0.001, clip=False)
    return optimizer


def _mp_fn(index):
    main(False)


if __name__ == "__main__":
    torch_xla.launch(_mp_fn)
