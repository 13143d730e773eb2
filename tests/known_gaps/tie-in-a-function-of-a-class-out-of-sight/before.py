import torch
from torch import nn
from models import Net


def load(model, weights):
    model.out.weight = model.emb.weight
    model.load_state_dict(weights)


def make():
    model = Net()
    model.out.weight = model.emb.weight
    return model


def main(weights):
    model = Net()
    load(model, weights)
    model.to("cuda")
    other = make()
    other.to("cuda")
