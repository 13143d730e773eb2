import torch
import torchvision


def choose(prediction, limit=0.25):
    found = []
    for x in prediction:
        x = x[x[:, 4] > limit]
        row, column = (x[:, 5:] > limit).nonzero(as_tuple=False).T
        kept = torchvision.ops.nms(x[row, :4], x[row, 4], 0.5)
        found.append(x[kept])
    return found


def widths(prediction):
    wide = (prediction[..., 2] > 8).nonzero()
    return prediction[..., 2][wide]
