"""The second target, torch_tpu: a device of PyTorch that runs each operation at once, as a program of its own.

Where there is no TPU one is played, on OpenXLA's plugin for the CPU (`probe/eager`).
"""
