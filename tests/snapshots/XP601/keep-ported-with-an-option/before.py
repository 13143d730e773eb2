import torch
import torch.distributed as dist
import torch_xla.distributed.xla_backend


def main(args):
    dist.init_process_group(backend=args.dist_backend, init_method="xla://")
    model = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(4, 1), gradient_as_bucket_view=True)
    dist.all_reduce(torch.zeros(1))
    return model


if __name__ == "__main__":
    main(parse())
