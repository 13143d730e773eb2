import torch


def select(wanted=""):
    device = str(wanted).lower().replace("cuda:", "")
    if device and device != "cpu":
        assert torch.cuda.is_available() and torch.cuda.device_count() >= len(device.replace(",", "")), (
            f"Invalid CUDA '--device {device}' requested"
        )
    if device != "cpu" and torch.cuda.is_available():
        text = ""
        for i, name in enumerate(device.split(",") if device else "0"):
            p = torch.cuda.get_device_properties(i)
            text += f"CUDA:{name} ({p.name}, {p.total_memory / (1 << 20):.0f}MiB)\n"
        print(text)
        return torch.device("cuda:0")
    return torch.device("cpu")


def check(count):
    assert count <= torch.cuda.device_count(), "too few GPUs"


model = torch.nn.Linear(2, 2).to(select("0"))
check(1)
