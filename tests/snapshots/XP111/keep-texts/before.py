import torch

names = {"cuda": 1, "opencl": 2}
print("cuda", names["cuda"], len("cuda"))
path = "runs/" + "cuda"
label = f"cuda is {names} and {'cuda'}"
title = "cuda kernels"
"""cuda"""
parser.add_argument("--x", help="cuda")
if "cuda" in title:
    label.replace("cuda", "gpu")
hasattr(names, "cuda")
