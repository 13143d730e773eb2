from torch import inference_mode
from torch import nn


def run(x):
    model = nn.Linear(4, 2).cuda()
    with inference_mode():
        return model(x.cuda())


def choose(model, x):
    mode = inference_mode
    with mode():
        return model(x.cuda())
