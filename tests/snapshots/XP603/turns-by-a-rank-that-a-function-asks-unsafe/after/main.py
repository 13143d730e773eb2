import group
import torch
import torch_xla
import torch_xla.core.xla_model as xm
from torch.nn.parallel import DistributedDataParallel


def main():
    group.join()
    device = torch.device("cuda", group.number())
    model = torch.nn.Linear(2, 2).to(device)
    if group.number() != 0:
        xm.rendezvous("barrier")
    state = torch.load("start.pt", map_location="cpu")
    if group.number() == 0:
        xm.rendezvous("barrier")
    model.load_state_dict(state)
    model = DistributedDataParallel(model, gradient_as_bucket_view=True)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(10):
        optimizer.zero_grad()
        model(torch.ones(1, 2, device=device)).sum().backward()
        optimizer.step()


def _mp_fn(index):
    main()


if __name__ == "__main__":
    torch_xla.launch(_mp_fn)
