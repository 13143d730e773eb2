import torch


def edges(t, sizes, values):
    edge = torch.cuda.ByteTensor(t.size()).zero_()
    one_hot = torch.cuda.FloatTensor(torch.Size((1, 35, 8, 8))).zero_()
    noise = torch.cuda.FloatTensor(t.shape).normal_()
    ones = torch.cuda.FloatTensor(3).fill_(1)
    size = t.size()
    later = torch.cuda.FloatTensor(size).uniform_()
    unknown = torch.cuda.FloatTensor(sizes).zero_()
    given = torch.cuda.FloatTensor((2, 3)).zero_(), torch.cuda.FloatTensor(t.size(0)).zero_()
    return edge, one_hot, noise, ones, later, unknown, given, torch.cuda.FloatTensor(values)
