import torch
import os
import torch_xla
import torch_xla.core.xla_model as xm


def average_gradients(optimizer):
    """Averages an optimizer's gradients over all processes, as torch_xla's optimizer_step() did; gives the optimizer."""
    if int(os.environ.get("WORLD_SIZE", "1")) > 1:
        if not torch.distributed.is_initialized():
            torch.distributed.init_process_group()
        count = torch.distributed.get_world_size()
        for weight in (weight for group in optimizer.param_groups for weight in group["params"]):
            if weight.grad is not None:
                torch.distributed.all_reduce(weight.grad)
                weight.grad.div_(count)
    return optimizer


def train(index, epochs):
    model = torch.nn.Linear(2, 2).to(torch.accelerator.current_accelerator())
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1 * int(os.environ.get("WORLD_SIZE", "1")))
    xm.broadcast_master_param(model)
    for epoch in range(epochs):
        model(torch.zeros(1, 2).to(torch.accelerator.current_accelerator())).sum().backward()
        average_gradients(optimizer).step()
        if int(os.environ.get("RANK", "0")) == 0:
            print(
                f"epoch {epoch}",
                index,
            )
    if int(os.environ.get("RANK", "0")) == 0 and not xm.is_master_ordinal(local=True):
        print("first")
    loss = xm.mesh_reduce("loss", 1.0, sum)
    xm.rendezvous("end")
    if int(os.environ.get("RANK", "0")) == 0:
        torch.save(model.state_dict(), "model.pt")
    xm.save(model.state_dict(), "model.pt", master_only=False)
    return loss


if __name__ == "__main__":
    torch_xla.launch(train, args=(2,))
