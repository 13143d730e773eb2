import torch
import torch.distributed as dist
import torch_xla

device = torch_xla.device()
model = torch.nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
history = {}
for i, x in enumerate(torch.utils.data.DataLoader(torch.zeros(8, 4), batch_size=4)):
    loss = model(x.to(device)).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    if dist.is_initialized():
        history[i] = loss.item()
    if dist.get_world_size() > 1 and len(history) > 5:
        history.clear()
        history[0] = loss.item()
