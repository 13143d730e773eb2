import torch


class Pipeline:
    def enable_xformers_memory_efficient_attention(self):
        self.attention = "own"

    def record_stream(self):
        return 1

    def start(self):
        self.enable_xformers_memory_efficient_attention()
        self.record_stream()


pipe = make()
pipe.enable_xformers_memory_efficient_attention()
torch.zeros(2).add_(1)  # cuda
