from transformers import AutoTokenizer
import torch_xla

tokenizer = AutoTokenizer.from_pretrained("gpt2")
inputs = tokenizer("a", return_tensors="pt").to(torch_xla.device())
