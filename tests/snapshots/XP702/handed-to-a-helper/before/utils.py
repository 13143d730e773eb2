import shutil

import torch


def save_checkpoint(state, is_best, filename="checkpoint.pt"):
    torch.save(state, filename)
    if is_best:
        shutil.copyfile(filename, "best.pt")


def save_model(model, path):
    torch.save(model.state_dict(), path)


def save_features(features, path):
    torch.save(features, path)


def nobody_calls(state, path):
    torch.save(state, path)
