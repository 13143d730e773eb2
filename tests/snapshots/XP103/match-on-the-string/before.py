import torch


def place(x, device: str = "cuda"):
    match device:
        case "cuda" | "mps":
            return x.to(device)
        case "cpu":
            return x


def kind(x: torch.Tensor):
    match x.device.type:
        case "cuda":
            return "gpu"
        case other:
            return other
