import contextlib
import io
import sys

import numpy as np
import torch
import torch_xla
from torch import nn

device = torch_xla.device()
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = [torch.randn(2, 4) for _ in range(8)]


def gives_it_back():
    total = torch.tensor([0.0], device=device)
    with torch.no_grad():
        for x in loader:
            total += model(x.to(device)).mean()
            torch_xla.sync()
    total = total.item()
    print(f"{total:.4f}")
    return total


def waits_all_the_same(best):
    total = torch.tensor([0.0], device=device)
    with torch.no_grad():
        for x in loader:
            total += model(x.to(device)).mean()
            torch_xla.sync()
    print(f"{total.item():.4f}")
    if total.item() < best:
        torch.save(model.state_dict(), "best.pt")


def ends():
    total = torch.tensor([0.0], device=device)
    with torch.no_grad():
        for x in loader:
            total += model(x.to(device)).mean()
            torch_xla.sync()
    print(f"{total.item():.4f}")
    sys.exit(1)


def fails():
    total = torch.tensor([0.0], device=device)
    with torch.no_grad():
        for x in loader:
            total += model(x.to(device)).mean()
            torch_xla.sync()
    print(f"{total.item():.4f}")
    raise RuntimeError


def into_a_file():
    with open("log.txt", "w") as file:
        total = torch.tensor([0.0], device=device)
        with torch.no_grad():
            for x in loader:
                total += model(x.to(device)).mean()
                torch_xla.sync()
        file.write(f"{total.item():.4f}")


def steps_of_no_step():
    total = torch.tensor([0.0], device=device)
    for x in loader:
        total += x.to(device).mean()
    print(f"{total.item():.4f}")


def in_a_step():
    for x in loader:
        loss = model(x.to(device)).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total = torch.tensor([0.0], device=device)
        with torch.no_grad():
            for x in loader:
                total += model(x.to(device)).mean()
                torch_xla.sync()
        if total.item() > 2:
            print("large")


def shows_elsewhere():
    with contextlib.redirect_stdout(io.StringIO()) as text:
        total = torch.tensor([0.0], device=device)
        with torch.no_grad():
            for x in loader:
                total += model(x.to(device)).mean()
                torch_xla.sync()
        print(f"{total.item():.4f}")
    return text


def shows_otherwise():
    total = torch.tensor([0.0], device=device)
    with np.printoptions(precision=2):
        with torch.no_grad():
            for x in loader:
                total += model(x.to(device)).mean()
                torch_xla.sync()
        print(total.cpu().numpy())


def is_called_once():
    total = torch.tensor([0.0], device=device)
    with torch.no_grad():
        for x in loader:
            total += model(x.to(device)).mean()
            torch_xla.sync()
    print(f"{total.item():.4f}")


def nobody_calls_it():
    total = torch.tensor([0.0], device=device)
    with torch.no_grad():
        for x in loader:
            total += model(x.to(device)).mean()
            torch_xla.sync()
    print(f"{total.item():.4f}")


for _ in range(2):
    print(gives_it_back())
    waits_all_the_same(1.0)
    into_a_file()
    steps_of_no_step()
    in_a_step()
    ends()
    fails()
    shows_elsewhere()
    shows_otherwise()
is_called_once()
