"""Puts weight norms into old checkpoints."""

import sys

import torch

from net import Net


def convert(model):
    for i, layer in enumerate(model.layers):
        model.layers[i] = torch.nn.utils.weight_norm(layer)
    return model


if __name__ == "__main__":
    model = Net()
    model.load_state_dict(torch.load(sys.argv[1], map_location="cpu"))
    torch.save(convert(model), sys.argv[2])
