import torch
import torch_xla
from torch import nn
from torch.utils.tensorboard import SummaryWriter

device = torch.device("cuda")
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
writer = SummaryWriter()
for step, x in enumerate(torch.utils.data.DataLoader(torch.randn(64, 4), batch_size=8)):
    loss = model(x.to(device)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    for name, p in model.named_parameters():
        writer.add_scalar(name, p.grad.norm(), step)
    if step % 10 == 0:
        for name, p in model.named_parameters():
            writer.add_histogram(name, p.grad, step)
