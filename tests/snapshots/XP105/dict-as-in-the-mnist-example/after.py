import torch


def main(args, data):
    use_cuda = not args.no_cuda and torch.cuda.is_available()
    train_kwargs = {"batch_size": 4}
    if use_cuda:
        cuda_kwargs = {"num_workers": 1,
                       "shuffle": True}
        train_kwargs.update(cuda_kwargs)
    return torch.utils.data.DataLoader(data, **train_kwargs)
