import torch


def last(net):
    torch.save(net.cpu().state_dict(), "m.pt")


def shown(batch, net, optimizer=torch.optim.SGD):
    print(batch.cpu().sum())
    batch.cuda()
    torch.save(net.state_dict(), "m.pt")
    net.cuda()


def first(net):
    net.cuda()
    torch.save(net.cpu().state_dict(), "m.pt")
