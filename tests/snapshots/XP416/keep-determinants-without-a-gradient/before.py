import torch

model = torch.nn.Linear(4, 4).to("xla")
with torch.no_grad():
    size = torch.logdet(model.weight)
shown = torch.logdet(model.weight.detach())
host = torch.logdet(torch.eye(3, requires_grad=True))
