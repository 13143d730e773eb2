import torch
import torch.nn.functional as F
from torch import nn
from torch.fft import rfft as spectrum


def gated_linear_unit(input, dim=-1):
    """The same as glu(), whose gradient XLA has no kernel for."""
    values, gates = input.chunk(2, dim)
    return values * torch.sigmoid(gates)


device = torch.device("cuda")
model = nn.Linear(4, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
batches = torch.utils.data.DataLoader([(torch.zeros(4), 0)] * 64, batch_size=8)
edges = torch.linspace(0, 1, 11).to(device)
for inputs, labels in batches:
    inputs, labels = inputs.to(device), labels.to(device)
    out = model(inputs)
    middle = out.flatten().kthvalue((out.numel() + 1) // 2).values
    middles = torch.median(out.abs(), dim=1).values
    counts = labels.new_zeros(4, dtype=torch.long).scatter_add_(0, labels.long(), torch.ones_like(labels, dtype=torch.long))
    target = F.one_hot(labels).float()
    places = (~(edges >= out.unsqueeze(-1))).sum(-1)
    waves = spectrum(out)
    rounded = torch.round(out * 10**2) / 10**2
    gated = gated_linear_unit(out, dim=1)
    distances = torch.cdist(out, inputs)
    chosen = torch.multinomial(out.softmax(1), 2)
    strange = torch.special.bessel_j0(out)
    inverse = torch.linalg.inv_ex(out.t() @ out).inverse
    scaled = torch.addmm(
        out,
        inputs,
        model.weight,
        alpha=0.5,
    )
    loss = F.smooth_l1_loss(out, inputs) + middle + distances.mean() + gated.sum() + middles.sum() + rounded.sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
