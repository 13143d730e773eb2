try:
    import torch
except ImportError:
    torch = None


def place(model, x):
    if torch is None:
        return model
    device = torch.device("cuda")
    torch.cuda.empty_cache()
    return model.to(device), x.cuda()
