import torch

p = torch.cuda.get_device_properties(0)
print(p.name, p.multi_processor_count)
q = torch.cuda.get_device_properties(0)
if "A100" in q.name:
    print(q.name)
properties = torch.cuda.get_device_properties(0)
print(properties)
is_large = torch.cuda.get_device_properties(0).total_memory > 8e9
other = torch.cuda.get_device_properties(0)
print(other.name)


def show():
    return other.name
