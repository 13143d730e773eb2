import torch_xla

def main():
    import torch

    return torch_xla.device()
