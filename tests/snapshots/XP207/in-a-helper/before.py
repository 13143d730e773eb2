import torch
import torch_xla

device = torch_xla.device()
model = torch.nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = torch.utils.data.DataLoader(torch.zeros(8, 4))


def forward_loss(x):
    loss = model(x.to(device)).mean()
    torch_xla.sync()
    return loss


@torch.no_grad()
def clip():
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    torch_xla.sync()


for x in loader:
    loss = forward_loss(x)
    optimizer.zero_grad()
    loss.backward()
    clip()
    optimizer.step()
    torch_xla.sync()
