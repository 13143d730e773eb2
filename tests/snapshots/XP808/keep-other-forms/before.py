from torch import inference_mode
from torch import nn


def run(x, modes):
    model = nn.Linear(4, 2).cuda()
    with inference_mode(*modes):
        return model(x.cuda())


def choose(model, x):
    mode = inference_mode
    return [mode, model(x.cuda())]
other = torch.inference_mode if given else enable
other = torch.no_grad if torch.inference_mode else given
