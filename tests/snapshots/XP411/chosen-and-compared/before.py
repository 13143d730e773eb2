import torch
from torch import nn
from torch.nn.utils import spectral_norm, weight_norm


class Critic(nn.Module):
    def __init__(self, spectral=False):
        super().__init__()
        normed = spectral_norm if spectral else weight_norm
        self.layers = nn.ModuleList([normed(nn.Conv1d(1, 8, 3)), normed(nn.Conv1d(8, 8, 3))])
        self.is_plain = normed is weight_norm
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
