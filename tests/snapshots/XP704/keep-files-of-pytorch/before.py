import torch
from torch import nn
from torch.utils import model_zoo

_URL = "https://download.pytorch.org/models/resnet18-f37072fd.pth"
_URLS = {"resnet18": _URL}


def resnet(name, url):
    net = nn.Linear(4, 2).cuda()
    net.load_state_dict(torch.hub.load_state_dict_from_url(_URL))
    net.load_state_dict(model_zoo.load_url(_URLS[name]))
    net.load_state_dict(model_zoo.load_url(url, progress=False))
    net.load_state_dict(torch.hub.load_state_dict_from_url("https://host/net.pt", map_location="cpu"))
