def on_gpu(x):
    return "cuda" in str(x.device)
