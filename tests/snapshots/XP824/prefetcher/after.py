import torch


class Prefetcher:
    """Brings the next batch while a step runs."""

    def __init__(self, loader):
        self.loader = iter(loader)
        self.preload()

    def preload(self):
        try:
            self.images, self.target = next(self.loader)
        except StopIteration:
            self.images = self.target = None
            return
        # the copy runs beside the step
        self.images = self.images.cuda(non_blocking=True)
        self.target = self.target.cuda(non_blocking=True)
        self.images = self.images.float() / 255

    def next(self):
        images, target = self.images, self.target
        if images is not None:
            images.record_stream(torch.cuda.current_stream())
        self.preload()
        return images, target
