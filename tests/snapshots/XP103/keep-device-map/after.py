from transformers import AutoModelForCausalLM

model = AutoModelForCausalLM.from_pretrained("x", device_map="cuda")
