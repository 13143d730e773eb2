import copy
import torch
from torch import nn
from torch.utils import dlpack

device = torch.device("cuda")
model = nn.Linear(4, 4).to(device)
x = torch.rand(4, 4, device=device)
y = x.view(16)

if x.data_ptr() == y.data_ptr():
    print(x.t().stride(0), y.storage_offset(), x.is_set_to(y))
size = x.untyped_storage().nbytes()
first = x.storage()[0]
x.share_memory_()
capsule = dlpack.to_dlpack(x)
other = torch.from_dlpack(x)
array = x.__cuda_array_interface__
again = copy.copy(x)
window = torch.kaiser_window(8, device=device)
ragged = torch.nested.nested_tensor([torch.zeros(2), torch.zeros(3)], device=device)
named = torch.zeros(2, 3, names=("rows", "columns"), device=device)
renamed = x.refine_names("rows", "columns")
small = torch.quantize_per_tensor(x, 0.1, 0, torch.quint8)
