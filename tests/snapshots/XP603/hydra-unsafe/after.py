import hydra
from torch.distributed import destroy_process_group, init_process_group
import torch_xla
import torch_xla.distributed.xla_backend


@hydra.main(version_base=None, config_path=".", config_name="train")
def main(config):
    init_process_group(backend="xla", init_method="xla://")
    train(config)
    destroy_process_group()


def _mp_fn(index):
    main()


if __name__ == "__main__":
    torch_xla.launch(_mp_fn, start_method="fork")
