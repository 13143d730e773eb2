import torch
import torch.distributed as dist


def watched(counts, limit):
    for count in counts:
        dist.all_reduce(count)
        assert dist.get_rank() != 0 or count.item() < limit
    for count in counts:
        dist.all_reduce(count)
        assert limit > 0, count.item()
    for count in counts:
        other = torch.zeros(1).cuda()
        dist.all_reduce(count)
        print(other.item())
    for count in counts:
        dist.all_reduce(count)
        shown = count.item() if dist.get_rank() == 0 else None
        print(shown)
    for count in counts:
        dist.all_reduce(count)
        if dist.get_rank() == 0:
            print(count.item())


def alone(count):
    dist.all_reduce(count)
    return count.item()


def main():
    dist.init_process_group("nccl", init_method="env://")
    net = torch.nn.Linear(2, 2).cuda()
    watched([torch.zeros(1).cuda()], 5)
    print(alone(torch.zeros(1).cuda()), net)


if __name__ == "__main__":
    main()
