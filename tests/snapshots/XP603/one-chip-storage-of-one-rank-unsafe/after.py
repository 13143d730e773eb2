import torch
import torch.distributed as dist
import torch_xla
import torch_xla.distributed.xla_backend


@torch.no_grad()
def extract(model, loader, size):
    features = torch.zeros(size, 4).cuda()
    for images, index in loader:
        out = model(images.cuda())
        gathered = [torch.empty_like(out) for _ in range(dist.get_world_size())]
        dist.all_gather(gathered, out)
        if dist.get_rank() == 0:
            features.index_copy_(0, index.cuda(), torch.cat(gathered))
    torch_xla.sync()
    return features


def main():
    dist.init_process_group("xla", init_method="xla://")
    extract(*parts())


def _mp_fn(index):
    main()


if __name__ == "__main__":
    torch_xla.launch(_mp_fn, debug_single_process=True)
