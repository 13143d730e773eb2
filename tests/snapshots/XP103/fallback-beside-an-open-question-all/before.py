import torch


def pick(name):
    if name.startswith("cuda") and (not torch.cuda.is_available() or torch.cuda.get_device_capability()[0] < 7):
        name = "cpu"
    return torch.device(name)


model = torch.nn.Linear(2, 2).to(pick("cuda:0"))
