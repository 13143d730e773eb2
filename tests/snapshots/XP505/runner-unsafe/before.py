import numpy as np
import torch
from torch import nn
from PIL import Image


class Runner:
    def __init__(self, net, half=True):
        self.model = net.cuda()
        self.half = half
        if half:
            self.model.half()

    @torch.no_grad()
    def __call__(self, image):
        x = torch.from_numpy(np.asarray(image).astype(np.float16)).cuda()
        x = x.half() if self.half else x.float()
        out = self.model(x)
        mask = out.argmax(1)
        out = out.squeeze(0)
        Image.fromarray(out.cpu().numpy())
        np.save("mask.npy", mask.cpu().numpy())
        return out.detach().cpu().numpy(), float(out.max()), out.tolist()
