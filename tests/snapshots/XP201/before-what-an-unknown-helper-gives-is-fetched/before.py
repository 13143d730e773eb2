import helpers  # not in the project
import numpy as np
import torch
from torch import nn


@torch.no_grad()
def validate(model, scenes):
    errors = []
    for index in range(len(scenes)):
        image, truth = scenes[index]
        padder = helpers.Padder(image.shape)
        coarse, fine = model(image[None].cuda())
        depth = padder.crop(fine[0]).cpu()
        error = torch.sum((depth - truth) ** 2, dim=0).sqrt()
        errors.append(error.view(-1).numpy())
    print(np.mean(np.concatenate(errors)))


net = nn.Conv2d(3, 2, 3).cuda()
validate(net, helpers.Scenes())
