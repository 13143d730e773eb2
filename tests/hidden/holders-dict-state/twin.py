"""The item that moves late is the loss module."""
import torch
from torch import nn

state = {"net": nn.Linear(5, 5), "criterion": nn.PReLU(), "step": 0}
state["net"].cuda()
state["rule"] = torch.optim.SGD(state["net"].parameters(), lr=0.2)  # never: XP203
for key in ("criterion",):
    state[key] = state[key].cuda()

while state["step"] < 15:
    x = torch.randn(4, 5).cuda()
    loss = state["criterion"](state["net"](x)).abs().mean()
    state["rule"].zero_grad()
    loss.backward()
    state["rule"].step()
    state["step"] += 1
print("steps", state["step"], loss.item())
