from compat import Device, device

first = device("cuda")
second = Device("cuda")
