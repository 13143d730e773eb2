from diffusers import StableDiffusionPipeline
import torch_xla

pipe = StableDiffusionPipeline.from_pretrained("x")
pipe = pipe.to(torch_xla.device())
