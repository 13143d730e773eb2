import torch
import torch.distributed as dist


def share(params):
    for p in params:
        with torch.no_grad():
            dist.broadcast(p, 0)


def share_both(model):
    for p in model.parameters():
        dist.broadcast(p.data, src=0)
    for b in model.buffers():
        dist.broadcast(b.data, src=0)
        dist.all_reduce(b)
        if dist.get_rank() == 0:
            print("shared")


def totals(counts):
    for count in counts:
        dist.all_reduce(count)
        print(count.item())


def main():
    dist.init_process_group("nccl")
    net = torch.nn.Linear(2, 2).cuda()
    share(net.parameters())
    share_both(net)
    totals([torch.zeros(1).cuda()])


if __name__ == "__main__":
    main()
