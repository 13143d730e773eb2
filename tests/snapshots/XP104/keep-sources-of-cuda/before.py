import torch

sources, flags = ["src/layer.c"], []
if torch.cuda.is_available():
    print("with CUDA")
    sources += ["src/layer_cuda.c"]
    flags += [("WITH_CUDA", None)]
else:
    raise ValueError("no CUDA")
objects = ["src/layer.cu.o"] if torch.cuda.is_available() else []
