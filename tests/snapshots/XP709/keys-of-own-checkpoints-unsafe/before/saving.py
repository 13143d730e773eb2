import torch


def save_model(model, opt, path):
    state = {"opt": opt, "model": model.state_dict()}
    torch.save(state, path)
