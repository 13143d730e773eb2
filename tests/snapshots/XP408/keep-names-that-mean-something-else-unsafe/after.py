import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda")
model = nn.Linear(4, 4).to(device)
rectify = nn.ReLU(inplace=True)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(TensorDataset(torch.randn(64, 4), torch.randn(64, 4)), batch_size=8)
distance = nn.HuberLoss("sum")

for step, (inputs, targets) in enumerate(loader):
    inputs, targets = inputs.to(device), targets.to(device)
    x = model(inputs)

    # the mask is another one where the values are used
    first = x > 0
    rebound = x[first]
    first = x > 1
    loss = rebound.mean()
    second = x > 2
    later = x[second]
    mean = lambda: later.mean()
    second = x > 3
    loss = loss + mean()
    third = x > 4
    if step > 0:
        loss = loss + carried.mean()
    carried = x[third]
    for i in range(3):
        if i == 1:
            once = x[x > i]
    loss = loss + once.mean()
    fourth = x > 5
    forgotten = x[fourth]
    del fourth
    loss = loss + forgotten.mean()

    # without a gradient
    fifth = x > 6
    with torch.no_grad():
        goal = x[fifth]
    loss = loss + (x[fifth] * 2 - goal).square().mean()

    # the tensor is changed, under another name
    one = x * 1
    flat = one.view(-1)
    chosen = one[one > 0]
    flat.mul_(2)
    loss = loss + chosen.mean()
    two = x * 2
    taken = two[two > 0]
    F.relu(two, inplace=True)
    loss = loss + taken.mean()
    three = x * 3
    kept = three[three > 0]
    rectify(three)
    loss = loss + kept.mean()

    # a mask that is drawn cannot be written twice; one of the type of x may have fewer dimensions
    loss = loss + x[torch.rand_like(x) > 0.5].mean()
    rows = targets.sum(1) > 0
    loss = loss + x[rows.to(x) > 0].mean()

    # one bound for each of the selected
    sixth = x > 7
    loss = loss + x[sixth].clamp(min=targets[sixth.flip(0)]).mean()
    loss = loss + distance(x[sixth], (x * 2)[sixth])
    torch.set_grad_enabled(False)
    goal = x[x > 20]
    torch.set_grad_enabled(True)
    loss = loss + goal.mean()
    loss.backward()
    optimizer.step()
