import torch
import torch_xla
import torch_xla.core.xla_model as xm
import torch_xla.runtime as xr


def train(index, epochs):
    model = torch.nn.Linear(2, 2).to(torch_xla.device())
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1 * xr.world_size())
    xm.broadcast_master_param(model)
    for epoch in range(epochs):
        model(torch.zeros(1, 2).to(torch_xla.device())).sum().backward()
        xm.optimizer_step(optimizer)
        xm.master_print(
            f"epoch {epoch}",
            index,
        )
    if xm.is_master_ordinal() and not xm.is_master_ordinal(local=True):
        print("first")
    loss = xm.mesh_reduce("loss", 1.0, sum)
    xm.rendezvous("end")
    xm.save(model.state_dict(), "model.pt")
    xm.save(model.state_dict(), "model.pt", master_only=False)
    return loss


if __name__ == "__main__":
    torch_xla.launch(train, args=(2,))
