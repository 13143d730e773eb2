import torch

model = torch.nn.Linear(4, 4).to("cuda")
print(model(torch.ones(2, 4, device="cuda")))
