import torch
from torch import nn

device = torch.accelerator.current_accelerator()
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 1)).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)


@torch.no_grad()
def move_averages(norm, inputs):
    if norm.training:
        x = inputs[0]
        variance, mean = torch.var_mean(x, [0, *range(2, x.dim())])
        norm.running_mean.lerp_(mean, norm.momentum)
        norm.running_var.lerp_(variance, norm.momentum)


for module in model.modules():
    if isinstance(module, nn.BatchNorm1d):
        module.register_forward_pre_hook(move_averages)

for step in range(8):
    loss = model(torch.randn(4, 8).to(device)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
model.eval()
with torch.no_grad():
    print(model(torch.randn(4, 8).to(device)).mean().item())
