import torch

device = torch.device("cuda")
x = torch.rand(4, 4).to(device)
basis = torch.load("basis.pt", map_location="cpu").to(device)
print(torch.mm(basis, x))
agent, seen = torch.load("agent.pt", map_location=device)
print(agent.act(x))
