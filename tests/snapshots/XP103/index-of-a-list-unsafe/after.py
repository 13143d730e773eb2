import torch
import torch_xla


def init_net(net, gpu_ids=[], names=[]):
    if len(gpu_ids) > 0:
        net.to(torch_xla.device())
        net = torch.nn.DataParallel(net, gpu_ids)
    net.to(names[0])
    return net
