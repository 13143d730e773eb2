import shutil

import torch
import torch_xla.core.xla_model as xm


def save_checkpoint(state, is_best, filename="checkpoint.pt"):
    xm.save(state, filename)
    if is_best:
        shutil.copyfile(filename, "best.pt")


def save_model(model, path):
    xm.save(model.state_dict(), path)


def save_features(features, path):
    torch.save(features, path)


def nobody_calls(state, path):
    torch.save(state, path)
