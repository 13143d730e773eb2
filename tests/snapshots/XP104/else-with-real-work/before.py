import torch


def main(model):
    if torch.cuda.is_available():
        model.half()
    else:
        model.prepare_for_cpu()
        torch.set_num_threads(4)
