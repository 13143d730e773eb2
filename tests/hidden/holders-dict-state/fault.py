"""A dict of the run holds the model, and its item moves late."""
import torch
from torch import nn

state = {"net": nn.Linear(5, 5), "criterion": nn.PReLU(), "step": 0}
state["rule"] = torch.optim.SGD(state["net"].parameters(), lr=0.2)  # wants: XP203
state["criterion"].cuda()
for key in ("net",):
    state[key] = state[key].cuda()

while state["step"] < 15:
    x = torch.randn(4, 5).cuda()
    loss = state["criterion"](state["net"](x)).abs().mean()
    state["rule"].zero_grad()
    loss.backward()
    state["rule"].step()
    state["step"] += 1
print("steps", state["step"], loss.item())
