import torch
import torch.distributed as dist
import torch_xla
import torch_xla.distributed.xla_backend


def share(params):
    for p in params:
        with torch.no_grad():
            dist.broadcast(p, 0)
    torch_xla.sync()


def share_both(model):
    for p in model.parameters():
        dist.broadcast(p.data, src=0)
    torch_xla.sync()
    for b in model.buffers():
        dist.broadcast(b.data, src=0)
        dist.all_reduce(b)
        if dist.get_rank() == 0:
            print("shared")
    torch_xla.sync()


def totals(counts):
    for count in counts:
        dist.all_reduce(count)
        print(count.item())


def main():
    dist.init_process_group("xla", init_method="xla://")
    net = torch.nn.Linear(2, 2).cuda()
    share(net.parameters())
    share_both(net)
    totals([torch.zeros(1).cuda()])


def _mp_fn(index):
    main()


if __name__ == "__main__":
    torch_xla.launch(_mp_fn)
