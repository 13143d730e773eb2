import torch
import torch.nn.functional as F
import torch_xla

model = torch.nn.Linear(4, 2).to("xla")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = torch.utils.data.DataLoader(torch.zeros(64, 4), batch_size=8)
for step, x in enumerate(loader):
    x = x.to("xla")
    out = model(x)
    loss = F.mse_loss(out, x[:, :2])
    batch_hits = (out > 0).sum()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    if step % 10 == 0:
        hits = 100 * batch_hits.item() / len(x)
        print(step, hits)
