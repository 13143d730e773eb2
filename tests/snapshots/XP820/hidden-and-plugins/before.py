import argparse

from accelerate import Accelerator, DeepSpeedPlugin

args = argparse.ArgumentParser().parse_args()
accelerator = Accelerator(mixed_precision=args.mixed_precision, deepspeed_plugin=DeepSpeedPlugin(zero_stage=2))
settings = {"mixed_precision": "fp16"}
other = Accelerator(**settings)
