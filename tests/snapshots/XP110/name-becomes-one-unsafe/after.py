import torch


def setup(args, model):
    args.n_gpu = 0 if args.no_cuda else 1
    batch_size = args.per_gpu_batch_size * max(1, args.n_gpu)
    if args.n_gpu > 1:
        model = torch.nn.DataParallel(model)
    return model, batch_size
