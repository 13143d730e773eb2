import torch

if torch.cuda.is_available():
    print("""
    a
    b
    """)
