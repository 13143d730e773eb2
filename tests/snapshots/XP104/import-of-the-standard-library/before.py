import torch

if torch.cuda.is_available():
    import gc

    gc.collect()
