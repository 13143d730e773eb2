import torch_xla

def show(x):
    print(f"{x.to(torch_xla.device())}")
