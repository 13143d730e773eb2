def clear(cache, is_torch_npu_available, npu):
    cache.clear()
