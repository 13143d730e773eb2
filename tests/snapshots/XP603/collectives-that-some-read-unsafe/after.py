import torch
import torch.distributed as dist
import torch_xla
import torch_xla.distributed.xla_backend


def watched(counts, limit):
    for count in counts:
        dist.all_reduce(count)
        torch_xla.sync()
        assert dist.get_rank() != 0 or count.item() < limit
    for count in counts:
        dist.all_reduce(count)
        torch_xla.sync()
        assert limit > 0, count.item()
    for count in counts:
        other = torch.zeros(1).cuda()
        dist.all_reduce(count)
        torch_xla.sync()
        print(other.item())
    for count in counts:
        dist.all_reduce(count)
        torch_xla.sync()
        shown = count.item() if dist.get_rank() == 0 else None
        print(shown)
    for count in counts:
        dist.all_reduce(count)
        torch_xla.sync()
        if dist.get_rank() == 0:
            print(count.item())


def alone(count):
    dist.all_reduce(count)
    torch_xla.sync()
    return count.item()


def main():
    dist.init_process_group("xla", init_method="xla://")
    net = torch.nn.Linear(2, 2).cuda()
    watched([torch.zeros(1).cuda()], 5)
    print(alone(torch.zeros(1).cuda()), net)


def _mp_fn(index):
    main()


if __name__ == "__main__":
    torch_xla.launch(_mp_fn)
