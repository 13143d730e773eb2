import torch

for e in range(3):
    data = data if e else data
    for x in data:
        loss = torch.nn.Linear(4, 2).to("xla")(x.to("xla")).sum()
        print(loss.item())
