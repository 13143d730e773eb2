import torch
import torch.multiprocessing as mp


def main(train, args):
    ngpus_per_node = torch.cuda.device_count()
    args.total = ngpus_per_node * args.nodes
    mp.spawn(train, nprocs=ngpus_per_node, args=(ngpus_per_node, args))
