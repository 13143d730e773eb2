def main():
    import torch

    return torch.device("cuda")
