"""What the compiler of CUDA builds, where there is one."""

import os

import torch
from torch.utils.cpp_extension import CppExtension, CUDAExtension


def extension(name, sources, kernels):
    if torch.cuda.is_available() or os.getenv("FORCE_CUDA") == "1":
        make, sources = CUDAExtension, sources + kernels
    else:
        make = CppExtension
    return make(name=name, sources=sources)
