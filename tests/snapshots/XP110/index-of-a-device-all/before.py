import torch


def place(model, x, rank):
    torch.cuda.set_device(rank % torch.cuda.device_count())
    x = x.to(f"cuda:{rank % torch.cuda.device_count()}")
    x = x.to(torch.device("cuda", rank % torch.cuda.device_count()))
    return model.cuda(rank % torch.cuda.device_count()), x
