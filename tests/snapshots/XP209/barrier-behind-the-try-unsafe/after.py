import torch
import torch_xla
import torch_xla.core.xla_model as xm

device = torch_xla.device()
model = torch.nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
skipped = 0

for x in torch.utils.data.DataLoader(torch.zeros(8, 4)):
    optimizer.zero_grad()
    try:
        loss = model(x.to(device)).mean()
        loss.backward()
        optimizer.step()  # may be too large
        torch_xla.sync()
    except RuntimeError as error:
        if "out of memory" not in str(error):
            raise
        skipped += 1

for x in torch.utils.data.DataLoader(torch.zeros(8, 4)):
    optimizer.zero_grad()
    try:
        loss = model(x.to(device)).mean()
    except (ValueError, torch.cuda.OutOfMemoryError):
        continue
    loss.backward()
    optimizer.step()
    xm.mark_step()
