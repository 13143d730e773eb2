import torch


def load(model, path, gather, ratios):
    if torch.cuda.is_available():
        model.load_state_dict(torch.load(path))
        gather.all_reduce(ratios.to("cuda"))
    else:
        model.load_state_dict(torch.load(path, map_location="cpu"))
        gather.all_reduce(ratios)
    return model
