import torch


def main(device):
    model = torch.nn.Linear(2, 2)
    # all of it
    optimizer = torch.optim.Adam(model.parameters())  # plain

    # to the GPU
    model.to(device)  # at last
    return optimizer
