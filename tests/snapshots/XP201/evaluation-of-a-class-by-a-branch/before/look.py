import torch


def look(model, loader, device):
    total = 0
    with torch.no_grad():
        for batch in loader:
            batch = {name: value.to(device) for name, value in batch.items()}
            output = model(batch)
            total += output["features"].argmax(1).eq(batch["target"]).sum().item()
    return total
