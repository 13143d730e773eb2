import torch
import torch_xla
import torch_xla.core.xla_model as xm
from torch import nn


def main(index, batches):
    model = nn.Linear(4, 2).to(torch_xla.device())
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for step, batch in enumerate(batches):
        model(batch).sum().backward()
        xm.optimizer_step(optimizer)
        torch_xla.sync()
        if step % 100 == 0 and xm.is_master_ordinal():
            print(step)
            xm.save(model.state_dict(), "last.pt")
    for step, batch in enumerate(batches):
        model(batch).sum().backward()
        xm.optimizer_step(optimizer)
        if step % 100 == 0 and xm.is_master_ordinal():
            print(step)
            xm.save(model.state_dict(), "last.pt")
        torch_xla.sync()


torch_xla.launch(main)
