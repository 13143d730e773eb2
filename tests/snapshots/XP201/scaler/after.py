import torch
import torch_xla


def train(model, optimizer, scaler, loader):
    scaler = torch.cuda.amp.GradScaler()
    for x in loader:
        with torch.autocast("cuda"):
            loss = model(x).mean()
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        torch_xla.sync()
        print(loss.item())
