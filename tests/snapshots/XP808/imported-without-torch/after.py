from torch import inference_mode
from torch import nn
import torch


def run(x):
    model = nn.Linear(4, 2).cuda()
    with torch.no_grad():
        return model(x.cuda())


def choose(model, x):
    mode = inference_mode
    with torch.no_grad():
        return model(x.cuda())
