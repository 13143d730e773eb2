import torch
from torch import inference_mode


def run(model, x):
    with inference_mode():
        return model(x.cuda())
