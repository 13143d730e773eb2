import torch
import torch_xla


def place(x, device: str = "xla"):
    match device:
        case "xla" | "mps":
            return x.to(device)
        case "cpu":
            return x


def kind(x: torch.Tensor):
    match x.device.type:
        case "xla":
            return "gpu"
        case other:
            return other
