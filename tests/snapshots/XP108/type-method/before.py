import torch


def move(x, y):
    return x.type(torch.cuda.FloatTensor), y.type(torch.cuda.LongTensor)
