import torch


def init_net(net, gpu_ids=[], names=[]):
    if len(gpu_ids) > 0:
        net.to(gpu_ids[0])
        net = torch.nn.DataParallel(net, gpu_ids)
    net.to(names[0])
    return net
