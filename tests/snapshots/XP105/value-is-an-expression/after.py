from torch.utils.data import DataLoader


def main(data, args, use_cuda):
    a = DataLoader(data)
    b = DataLoader(data, num_workers=args.workers)
    return a, b
