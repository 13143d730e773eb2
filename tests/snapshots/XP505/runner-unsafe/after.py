import numpy as np
import torch
from torch import nn
from PIL import Image


class Runner:
    def __init__(self, net, half=True):
        self.model = net.cuda()
        self.half = half
        if half:
            self.model.bfloat16()

    @torch.no_grad()
    def __call__(self, image):
        x = torch.from_numpy(np.asarray(image).astype(np.float16)).cuda()
        x = x.bfloat16() if self.half else x.float()
        out = self.model(x)
        mask = out.argmax(1)
        out = out.squeeze(0)
        Image.fromarray(out.cpu().float().numpy())
        np.save("mask.npy", mask.cpu().numpy())
        return out.detach().cpu().float().numpy(), float(out.max()), out.tolist()
