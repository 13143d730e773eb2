import torch
import torch.distributed as dist
import torch_xla
import torch_xla.distributed.xla_backend
import torch_xla.runtime as xr


@torch.no_grad()
def concat_all_gather(tensor):
    gathered = [torch.ones_like(tensor) for _ in range(dist.get_world_size())]
    dist.all_gather(gathered, tensor, async_op=False)
    torch_xla.sync()
    return torch.cat(gathered, dim=0)


def reduce_losses(losses):
    with torch.no_grad():
        names = sorted(losses)
        values = torch.stack([losses[name] for name in names])
        dist.all_reduce(values)
        torch_xla.sync()
        if dist.get_rank() == 0:
            values /= dist.get_world_size()
    return dict(zip(names, values))


def highest(value):
    dist.all_reduce(value, op=dist.ReduceOp.MAX)
    torch_xla.sync()
    return value


def main():
    dist.init_process_group("xla", init_method="xla://")
    model = torch.nn.Linear(4, 1).to(xr.local_ordinal())
    out = concat_all_gather(model(torch.ones(2, 4, device="cuda")))
    print(reduce_losses({"a": out.sum()}), highest(out.max()))


def _mp_fn(index):
    main()


if __name__ == "__main__":
    torch_xla.launch(_mp_fn)
