import argparse

import torch
import torch_xla


def run(name, settings, colors):
    device = settings.get("device", "xla")
    spare = settings.pop("spare")
    model = torch.nn.Linear(2, 2).to(device=device)
    print(name, colors.get("line", "cuda"), settings.get("color", "cuda"))
    return model(torch.zeros(2).to(dtype=torch.float32, device=device)).to(spare)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--device", type=str, default="xla")
    parser.add_argument("--spare", type=str, default="xla")
    parser.add_argument("--color", type=str, default="cuda")
    args = parser.parse_args()
    run("x", settings=vars(args), colors={"line": "cuda"})
