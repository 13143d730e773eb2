import torch
from torch import nn
from torch.utils.data import DataLoader


def check(picture: torch.Tensor) -> None:
    # What one call passes lies on the host; of the other nothing is known.
    assert picture.isfinite().all()


device = torch.device("cuda")
model = nn.Linear(4, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x in DataLoader(torch.zeros(64, 4)):
    scores = model(x.to(device))
    loss = scores.mean()
    check(scores.detach().cpu())
    check(draw(8))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
