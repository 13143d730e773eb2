import torch

device = torch.device("cuda")
weights = torch.rand(4, 4, device=device)


def parked(kept, x: torch.Tensor):
    if x.device.type not in ("cuda", "npu"):
        kept.append((x, None))
        return
    with torch.cuda.stream(torch.cuda.Stream()):
        kept.append((x.to("cpu", non_blocking=True), x.stride()))


def copied(x: torch.Tensor):
    if x.device.type == "cuda" and x.is_floating_point():
        begin = x.storage_offset()
        with torch.cuda.stream(torch.cuda.Stream()):
            return x.to("cpu"), begin
    else:
        return x.cpu(), x.storage_offset()


def packed(x: torch.Tensor):
    repeats = 0 in x.stride()
    if repeats:
        return x.untyped_storage(), x.stride()
    return x.contiguous()


def ported(kept, x: torch.Tensor):
    if x.device.type != "cuda":
        return
    kept.append((x.cpu(), x.stride()))


def noted(kept, x: torch.Tensor):
    if x.device.type != "cuda":
        print("no GPU")
    with torch.cuda.stream(torch.cuda.Stream()):
        kept.append((x.cpu(), x.stride()))


def either(kept, x: torch.Tensor, is_forced):
    if x.device.type != "cuda" and not is_forced:
        return
    with torch.cuda.stream(torch.cuda.Stream()):
        kept.append((x.cpu(), x.stride()))
