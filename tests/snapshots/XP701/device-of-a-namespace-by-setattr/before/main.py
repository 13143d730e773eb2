import argparse
import torch
from runner import Diffusion


def parse_args_and_config():
    parser = argparse.ArgumentParser()
    args = parser.parse_args()
    new_config = dict2namespace({"ema": True, "lr": 0.1})
    device = torch.device("cuda") if torch.cuda.is_available() else torch.device("cpu")
    new_config.device = device
    return args, new_config


def dict2namespace(config):
    namespace = argparse.Namespace()
    for key, value in config.items():
        setattr(namespace, key, value)
    return namespace


if __name__ == "__main__":
    args, config = parse_args_and_config()
    Diffusion(args, config).train()
    Diffusion(args, config).sample()
