import torch
import torch.distributed as dist
import torch_xla
import torch_xla.distributed.xla_backend
from torch.nn.parallel import DistributedDataParallel


def main(loader):
    dist.init_process_group("xla", init_method="xla://")
    model = DistributedDataParallel(torch.nn.Linear(4, 1).cuda(), gradient_as_bucket_view=True)
    optimizer = torch.optim.LBFGS(model.parameters())
    other = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = torch.optim.lr_scheduler.StepLR(other, 1)
    scaler = torch.amp.GradScaler("cuda")
    for x in loader:

        def closure():
            optimizer.zero_grad()
            loss = model(x.cuda()).mean()
            loss.backward()
            return loss

        loss = optimizer.step(closure)
        scaler.scale(model(x.cuda()).mean()).backward()
        scaler.step(other)
        scaler.update()
        scheduler.step()
    return loss


def _mp_fn(index):
    main(load())


if __name__ == "__main__":
    torch_xla.launch(_mp_fn)
