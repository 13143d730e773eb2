import torch
import torch.nn.functional as F
import torch_xla

model = torch.nn.Linear(4, 2).to("xla")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = torch.utils.data.DataLoader(torch.zeros(64, 4), batch_size=8)
with torch.no_grad():
    for step, x in enumerate(loader):
        out = model(x.to("xla"))
        score = out.mean().item()
        torch_xla.sync()
        if step % 10 == 0:
            print(step, score)
