import torch
from diffusers import StableDiffusionPipeline

pipe = StableDiffusionPipeline.from_pretrained("x")
if args.enable_xformers_memory_efficient_attention:
    print("not on a TPU")
options = dict(offload=config.enable_model_cpu_offload)
