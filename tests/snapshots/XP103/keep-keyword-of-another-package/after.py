from transformers import pipeline

generator = pipeline("text-generation", device="cuda")
