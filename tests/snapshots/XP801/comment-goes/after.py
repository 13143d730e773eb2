import torch

# a seed for everything
torch.manual_seed(0)


def step(model):
    # run the model on the GPU
    model.run()

    # TODO: measure the benchmark flag

    # the model is evaluated


def begin(model):
    model.train()

    model.run()
