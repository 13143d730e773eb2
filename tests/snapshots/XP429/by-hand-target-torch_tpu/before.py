import torch
import torch.nn.functional as F
import torchvision
from torch import nn

net = torchvision.models.resnet18(num_classes=10).to("cuda")
plain = torchvision.models.vit_b_16().to("cuda")
lazy = nn.LazyBatchNorm1d().to("cuda")
mean, variance = torch.zeros(8, device="cuda"), torch.ones(8, device="cuda")


def normalized(x, training):
    return F.batch_norm(x, mean, variance, training=training)


def by_the_batch(x):
    return F.batch_norm(x, None, None, training=True)


def by_the_averages(x):
    return F.batch_norm(x, mean, variance)


def made(arch):
    return torchvision.models.__dict__[arch](), getattr(torchvision.models, arch)(), torchvision.models.get_model(arch)


tracking = nn.InstanceNorm2d(8, track_running_stats=True)
forgetting = nn.InstanceNorm2d(8)


def instances(x):
    return F.instance_norm(x, mean, variance), F.instance_norm(x, mean, variance, use_input_stats=False), F.instance_norm(x)
