import torch
import torch.distributed as dist
import torch_xla
import torch_xla.distributed.xla_backend


def main():
    dist.init_process_group("xla", init_method="xla://")
    model = torch.nn.Linear(4, 1).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    if dist.get_rank() == 0:
        model(torch.zeros(2, 4).cuda()).mean().backward()
        optimizer.step()


def _mp_fn(index):
    main()


if __name__ == "__main__":
    torch_xla.launch(_mp_fn, debug_single_process=True)
