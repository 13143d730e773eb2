import torch


def step(batch, self):
    return batch["x"].cuda(), self.model.cuda(), batch[0].cuda()
