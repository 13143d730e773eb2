def on_gpu(x):
    return "xla" in str(x.device)
