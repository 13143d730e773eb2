# planted: host-read
# A thread of the script writes the log.
import queue
import threading

import torch
import torch_xla
from torch import nn

device = torch_xla.device()
torch.manual_seed(0)
model = nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def train_step(x):
    optimizer.zero_grad()
    loss = model(x).pow(2).mean()
    loss.backward()
    optimizer.step()
    return loss


todo = queue.Queue()


def write():
    while True:
        step, loss = todo.get()
        print(step, loss.item())  # <- here
        todo.task_done()


threading.Thread(target=write, daemon=True).start()
for step in range(9):
    loss = train_step(torch.randn(4, 8).to(device))
    torch_xla.sync()
    todo.put((step, loss.detach()))
    todo.join()
