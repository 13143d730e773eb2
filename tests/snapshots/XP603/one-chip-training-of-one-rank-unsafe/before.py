import torch
import torch.distributed as dist


def main():
    dist.init_process_group("nccl")
    model = torch.nn.Linear(4, 1).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    if dist.get_rank() == 0:
        model(torch.zeros(2, 4).cuda()).mean().backward()
        optimizer.step()


if __name__ == "__main__":
    main()
