import torch


@torch.inference_mode()
def predict(model, loader):
    model.eval()
    outs = []
    for x in loader:
        outs.append(model(x).cpu())
    return torch.cat(outs)
