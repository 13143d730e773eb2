import torch
import torch_xla.core.xla_model as xm

print(f"{torch.cuda.memory_allocated()} {xm.xla_device_kind()}")
print(f"{xm.xla_device_kind()} {torch.cuda.is_available()}")
print(
    "on "  # {torch.cuda.get_device_name(0)}
    f"{xm.xla_device_kind():>{30}}" rf'\{xm.xla_device_kind()!r}'
    f"{{torch.cuda.get_device_name(0)}} {f'{xm.xla_device_kind()}'}"
)
print(f"""é {
    xm.xla_device_kind()
} \N{EM DASH} {torch.cuda.get_device_name(0)=}""")
