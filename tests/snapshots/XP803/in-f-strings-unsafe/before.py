import torch

print(f"{torch.cuda.memory_allocated()} {torch.cuda.get_device_name(0)}")
print(f"{torch.cuda.get_device_name(0)} {torch.cuda.is_available()}")
print(
    "on "  # {torch.cuda.get_device_name(0)}
    f"{torch.cuda.get_device_name(0):>{30}}" rf'\{torch.cuda.get_device_name(0)!r}'
    f"{{torch.cuda.get_device_name(0)}} {f'{torch.cuda.get_device_name()}'}"
)
print(f"""é {
    torch.cuda.get_device_name(0)
} \N{EM DASH} {torch.cuda.get_device_name(0)=}""")
