import torch


def load(path, gpu, model):
    loc = "cuda:{}".format(gpu)
    checkpoint = torch.load(path, map_location=loc)
    model.load_state_dict(checkpoint)


def load_and_tell(path, gpu):
    loc = f"cuda:{gpu}"
    print(loc)
    return torch.load(path, map_location=loc)
