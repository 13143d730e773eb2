import torch
from torch import nn


def main():
    device = torch.device("cuda")
    model = nn.Linear(2, 2)
    for p in model.parameters():
        p.register_post_accumulate_grad_hook(print)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    params = [p for p in model.parameters() if p.requires_grad]
    model.to(device)
    nn.utils.clip_grad_norm_(params, 1.0)
    return optimizer
