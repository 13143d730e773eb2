def on_gpu(device):
    return "cuda" in str(device)
