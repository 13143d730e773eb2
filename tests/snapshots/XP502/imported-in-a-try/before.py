import torch

try:
    from torch.cuda.amp import autocast
except ImportError:

    class autocast:  # older PyTorch: no mixed precision
        def __init__(self, enabled=True):
            self.enabled = enabled

        def __enter__(self):
            return self

        def __exit__(self, *error):
            return False


def run(model, x):
    with autocast(enabled=True):
        return model(x)
