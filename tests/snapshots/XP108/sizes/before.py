import torch


def noise(spect, device):
    first = torch.cuda.HalfTensor(spect.size(0),
                                  4,
                                  spect.size(2)).normal_()
    second = torch.cuda.FloatTensor(spect.size(0), 4,).uniform_()
    third = torch.cuda.LongTensor(2, 3).zero_()
    fourth = torch.cuda.LongTensor(2, 3).random_(5)
    fifth = torch.cuda.FloatTensor(*spect.shape).normal_(0, 2)
    sixth = torch.cuda.IntTensor(2, 3).normal_
    return first, second, third, fourth, fifth, sixth, torch.cuda.FloatTensor(3), torch.cuda.FloatTensor([3, 4])
