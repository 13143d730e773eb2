import torch

if args.device.startswith("cuda"):
    pass
match kind:
    case "cuda":
        pass
    case {"device": "cuda"}:
        pass
