import torch

torch.set_default_device("cuda")


@torch.inference_mode()
def predict(model, loader):
    outs = []
    for x in loader:
        outs.append(model(x).cpu())
    return torch.cat(outs)


predict(torch.nn.BatchNorm1d(2), torch.utils.data.DataLoader([]))
