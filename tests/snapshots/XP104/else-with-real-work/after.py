import torch


def main(model):
    if True:
        model.half()
    else:
        model.prepare_for_cpu()
        torch.set_num_threads(4)
