import torch
from bioloss import dice_loss
from torch import nn


def test(model, batches):
    model.eval()
    test_loss = 0
    for data, target in batches:
        data, target = data.cuda(), target.cuda()
        test_loss += dice_loss(model(data), target)
    print(test_loss / len(batches))


def parts_of(model, names):
    model.eval()
    for name in names:
        print(name, model.part(name))


def once_more(model, batches):
    model.eval()
    print(model.training)
    model.train()
    for data, target in batches:
        data = data.cuda()
        print(model(data).shape, target)


if __name__ == "__main__":
    net = nn.Linear(4, 1).cuda()
    checks = {"dice": test, "parts": parts_of, "once": once_more}
    checks["dice"](net, [(torch.rand(2, 4), torch.rand(2, 1)) for _ in range(4)])
    test(net, [(torch.rand(2, 4), torch.rand(2, 1)) for _ in range(4)])
