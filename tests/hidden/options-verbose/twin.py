"""What is shown in each step is the step's number."""
import torch
from torch import nn


def show(template, **fields):
    print(template.format(**fields))  # never: XP301|XP302|XP303|XP304|XP305|XP306|XP308


def fit(model, optimizer, **options):
    for step in range(options.get("steps", 5)):
        loss = model(torch.randn(4, 6).cuda()).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if options["verbose"]:
            show("{step}: {rate}", step=step, rate=0.1)  # never: XP301|XP302|XP303|XP304|XP305|XP306|XP308


model = nn.Linear(6, 6).cuda()
fit(model, torch.optim.SGD(model.parameters(), lr=0.1), verbose=True, steps=8)
