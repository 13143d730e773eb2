import os

folder = os.path.join("logs", "cuda")
label = {"cuda": 1, "cpu": 0}
print("cuda")
name = "cuda"
print(f"running on {name}")
