from diffusers import StableDiffusionPipeline

pipe = StableDiffusionPipeline.from_pretrained("x")
pipe = pipe.to("cuda")
