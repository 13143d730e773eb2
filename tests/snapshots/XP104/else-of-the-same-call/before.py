import torch


def average(gather, ratios, group):
    if torch.cuda.is_available():
        gather.all_reduce(ratios.to("cuda"), group)
    else:
        gather.all_reduce(ratios, group)
    return ratios
