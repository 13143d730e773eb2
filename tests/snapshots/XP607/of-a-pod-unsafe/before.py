import torch
import torch_xla
import torch_xla.distributed.xla_backend
import torch.distributed as dist


def main():
    dist.init_process_group("xla", init_method="xla://")
    device = torch_xla.device()
    model = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(4, 1).to(device), gradient_as_bucket_view=True)
    if dist.get_rank() == 0:
        output = model(torch.zeros(2, 4).to(device))
        print(output)
    else:
        print("waits")


if __name__ == "__main__":
    main()
