import torch

# enable cuDNN's autotuner,
# which pays for fixed sizes
torch.backends.cudnn.benchmark = True

# a seed for everything
torch.manual_seed(0)


def step(model):
    # free the cache
    torch.cuda.empty_cache()
    # run the model on the GPU
    model.run()

    # TODO: measure the benchmark flag
    torch.backends.cudnn.benchmark = True

    # the model is evaluated
    torch.cuda.empty_cache()

    # set_device avoids a context on GPU 0
    torch.cuda.set_device(1)


def begin(model):
    model.train()

    # this makes it faster as long as
    # all batches are of one size
    torch.backends.cudnn.benchmark = True

    model.run()
