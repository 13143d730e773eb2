import torch


def main(x, device, params):
    x = x.to(device, non_blocking=torch.cuda.is_available())
    scaler = torch.amp.GradScaler("cuda", enabled=torch.cuda.is_available())
    optimizer = torch.optim.AdamW(params, fused=torch.cuda.is_available())
    return x, scaler, optimizer
