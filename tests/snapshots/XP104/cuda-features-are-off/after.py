import torch


def main(x, device, params):
    x = x.to(device, non_blocking=False)
    scaler = torch.amp.GradScaler("cuda", enabled=False)
    optimizer = torch.optim.AdamW(params, fused=False)
    return x, scaler, optimizer
