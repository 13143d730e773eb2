import torch


def clear(cache, is_torch_npu_available, npu):
    if torch.cuda.is_available():
        cache.clear()
    elif is_torch_npu_available():
        npu.empty_cache()
    elif torch.backends.mps.is_available():
        torch.mps.empty_cache()
