from torch.utils.data import DataLoader


def main(data, args, use_cuda):
    a = DataLoader(data, pin_memory=use_cuda)
    b = DataLoader(data, pin_memory=args.pin and not args.cpu, num_workers=args.workers)
    return a, b
