import torch


def train(model, optimizer, scaler, loader):
    scaler = torch.cuda.amp.GradScaler()
    for x in loader:
        with torch.autocast("cuda"):
            loss = model(x).mean()
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        print(loss.item())
