import torch


def prepare_device(wanted):
    n_gpu = torch.cuda.device_count()
    if wanted > 0 and n_gpu == 0:
        print("Warning: there is no GPU, so this runs on the CPU.")
        wanted = 0
    if wanted > n_gpu:
        print(f"Warning: {wanted} GPUs are asked for, and {n_gpu} are there.")
        wanted = n_gpu
    device = torch.device("cuda:0" if wanted > 0 else "cpu")
    return device, list(range(wanted))


def at_most(wanted):
    count = torch.cuda.device_count()
    return wanted if wanted < count else count
