import torch


def train(model, loader, device):
    model.cuda()


train(torch.nn.Linear(2, 2), [], torch.device("cuda"))
