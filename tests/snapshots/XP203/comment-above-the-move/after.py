import torch


def main(device):
    model = torch.nn.Linear(2, 2)
    # all of it
    # to the GPU
    model.to(device)  # at last
    optimizer = torch.optim.Adam(model.parameters())  # plain

    return optimizer
