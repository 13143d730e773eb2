import torch


def device_mapping(cuda_device: int):
    def inner_device_mapping(storage: torch.Storage, location) -> torch.Storage:
        if cuda_device >= 0:
            return storage.cuda(cuda_device)
        else:
            return storage

    return inner_device_mapping


print(torch.load("a.th", map_location=device_mapping(0)))
