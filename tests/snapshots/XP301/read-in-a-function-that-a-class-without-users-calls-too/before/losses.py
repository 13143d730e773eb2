from torch import nn


def loss_of(out, y):
    out = out.to("cpu")
    return (out - y.to("cpu")).square().mean()


class Loss(nn.Module):
    def forward(self, out, y):
        return loss_of(out, y)
