import compat
from compat import Device, torch as t
from pkg import device

first = device("cuda")
second = Device("cuda:0")
third = compat.dev("cuda")
fourth = t.device("cuda")
