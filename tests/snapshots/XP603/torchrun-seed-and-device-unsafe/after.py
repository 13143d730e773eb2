import os

import torch
import torch.distributed as dist
import torch_xla.core.xla_model as xm
import torch_xla.distributed.xla_backend


def join(args):
    if "RANK" in os.environ and "WORLD_SIZE" in os.environ:
        args.rank = int(os.environ["RANK"])
        args.world_size = int(os.environ["WORLD_SIZE"])
        args.gpu = int(os.environ["LOCAL_RANK"])
    else:
        args.distributed = False
        return
    args.distributed = True
    torch.cuda.set_device(args.gpu)
    args.dist_backend = "xla"
    dist.init_process_group(backend=args.dist_backend, init_method="xla://")
    xm.rendezvous("barrier")


def main(args):
    torch.manual_seed(args.seed)
    device = torch.device("cuda")
    join(args)
    model = torch.nn.BatchNorm1d(4).to(device)
    if args.distributed:
        model = torch.nn.SyncBatchNorm.convert_sync_batchnorm(model)
        model = torch.nn.parallel.DistributedDataParallel(model, gradient_as_bucket_view=True)


if __name__ == "__main__":
    main(parse())
