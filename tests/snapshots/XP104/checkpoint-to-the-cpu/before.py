import torch


def load(model, path):
    if torch.cuda.is_available():
        state = torch.load(path)
    else:
        state = torch.load(path, map_location="cpu")
    model.load_state_dict(state)
    other = torch.load(path) if torch.cuda.is_available() else torch.load(path, map_location=torch.device("cpu"))
    if not torch.cuda.is_available():
        third = torch.load(path, map_location="cpu")
    else:
        third = torch.load(path)
    return other, third
