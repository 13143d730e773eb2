def supported(is_torch_npu_available):
    has_accelerator = True
    return has_accelerator
