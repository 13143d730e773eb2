import torch_xla

def main():
    return torch_xla.device()
