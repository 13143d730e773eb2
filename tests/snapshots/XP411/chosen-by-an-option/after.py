import torch
from torch import nn
from torch.nn.utils import spectral_norm, weight_norm


class LoweredWeightNorm:
    """weight_norm(), with the weight computed by operations that XLA has a kernel for."""

    def __init__(self, name, dim):
        self.name, self.dim = name, dim

    def __call__(self, module):
        direction = getattr(module, self.name + "_v")
        length = torch.norm_except_dim(direction, 2, -1 if self.dim is None else self.dim)
        return direction * (getattr(module, self.name + "_g") / length)

    @staticmethod
    def apply(module, name="weight", dim=0):
        torch.nn.utils.weight_norm(module, name, dim)
        for hook in module._forward_pre_hooks.values():
            if getattr(hook, "name", None) == name:
                hook.compute_weight = LoweredWeightNorm(name, dim)
        return module


class Critic(nn.Module):
    def __init__(self, spectral=False):
        super().__init__()
        normed = spectral_norm if spectral else LoweredWeightNorm.apply
        self.layers = nn.ModuleList([normed(nn.Conv1d(1, 8, 3)), normed(nn.Conv1d(8, 8, 3))])
        unused = weight_norm if spectral else spectral_norm
        activation = nn.ReLU if spectral else nn.Tanh
        self.activation = activation()

    def forward(self, x):
        for layer in self.layers:
            x = self.activation(layer(x))
        return x


device = torch.device("cuda")
model = Critic().to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x in torch.utils.data.DataLoader(torch.zeros(64, 1, 9), batch_size=8):
    loss = model(x.to(device)).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
