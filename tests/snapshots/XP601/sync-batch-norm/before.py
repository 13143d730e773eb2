import torch
import torch.distributed as dist


def main(args):
    dist.init_process_group("nccl")
    model = torch.nn.Sequential(torch.nn.BatchNorm1d(4), torch.nn.Linear(4, 1))
    if args.sync_bn:
        model = torch.nn.SyncBatchNorm.convert_sync_batchnorm(model)
    return torch.nn.parallel.DistributedDataParallel(model.cuda())


if __name__ == "__main__":
    main(parse())
