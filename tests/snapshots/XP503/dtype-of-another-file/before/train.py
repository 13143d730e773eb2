import torch
from precision import low_precision

model = torch.nn.Linear(4, 4).to("cuda")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scaler = torch.amp.GradScaler("cuda")
for _ in range(3):
    optimizer.zero_grad()
    with low_precision("half"):
        loss = model(torch.ones(2, 4, device="cuda")).sum()
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
