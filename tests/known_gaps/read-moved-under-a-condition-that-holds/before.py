import math
import time
import torch
import torch.distributed as dist


def reduce_tensor(tensor, n_gpus):
    rt = tensor.clone()
    dist.all_reduce(rt, op=dist.reduce_op.SUM)
    rt /= n_gpus
    return rt


def train(loader, rank, n_gpus, logger, fp16=False):
    model = torch.nn.Linear(4, 1).cuda()
    opt = torch.optim.SGD(model.parameters(), 0.1)
    is_overflow = False
    for i, x in enumerate(loader):
        start = time.perf_counter()
        opt.zero_grad()
        loss = model(x.cuda()).pow(2).mean()
        if n_gpus > 1:
            reduced_loss = reduce_tensor(loss.data, n_gpus).item()
        else:
            reduced_loss = loss.item()
        loss.backward()
        if fp16:
            grad_norm = torch.nn.utils.clip_grad_norm_(amp.master_params(opt), 1.0)
            is_overflow = math.isnan(grad_norm)
        else:
            grad_norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        if not is_overflow and rank == 0:
            duration = time.perf_counter() - start
            print("Train loss {} {:.6f} Grad Norm {:.6f} {:.2f}s/it".format(i, reduced_loss, grad_norm, duration))
            logger.log_training(reduced_loss, grad_norm, duration, i)


class Logger:
    def log_training(self, *values):
        pass


train([torch.rand(8, 4)] * 6, 0, 1, Logger())
