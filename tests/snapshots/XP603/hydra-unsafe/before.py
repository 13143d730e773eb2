import hydra
from torch.distributed import destroy_process_group, init_process_group


@hydra.main(version_base=None, config_path=".", config_name="train")
def main(config):
    init_process_group(backend="nccl")
    train(config)
    destroy_process_group()


if __name__ == "__main__":
    main()
