import ctypes

import runtime
import torch

device = torch.device("cuda")
session = runtime.Session("model.onnx")


def bound(x, name):
    x = torch.from_numpy(x).to(device)
    session.bind(name, x.device.type, x.shape, buffer_ptr=x.data_ptr())
    return ctypes.c_void_p(x.data_ptr())


def is_same(x, y):
    x, y = torch.zeros(x, device=device), torch.zeros(y, device=device)
    seen = set()
    seen.add(x.data_ptr())
    return x.data_ptr() == y.data_ptr() or noted(y.data_ptr()) in seen


def noted(address):
    return hash(address)
