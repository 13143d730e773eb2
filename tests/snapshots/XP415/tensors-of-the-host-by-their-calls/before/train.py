import torch
from checks import check, check_scores, check_some, save
from pictures import paint
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("cuda")
model = nn.Linear(4, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x in DataLoader(torch.zeros(64, 4)):
    scores = model(x.to(device))
    loss = scores.mean()
    check_scores(scores)
    picture = scores.detach().cpu()
    check(picture)
    save(picture, "picture.pt")
    drawn = paint(7).detach().cpu()
    for part in drawn:
        check_some(part)
    check_some(paint(8))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
