import torch


def report(lines):
    has_gpu = torch.cuda.is_available()
    if has_gpu:
        lines.append("yes")
    if has_gpu:
        lines.append(torch.cuda.get_device_name(0))
    return lines
