import torch
import torch.distributed as dist


def main(model, optimizer, loader, rank):
    dist.init_process_group("nccl")
    total = torch.zeros(2).cuda()
    for x in loader:
        loss = model(x).mean()
        loss.backward()
        optimizer.step()
        dist.all_reduce(loss)
        if rank == 0:
            print(loss.item())
    dist.all_reduce(total[0], op=dist.ReduceOp.MAX)
    dist.broadcast(total[1], src=0)
    if rank == 0:
        print(total)


if __name__ == "__main__":
    main(*build())
