import torch_xla
import torch_xla.distributed.parallel_loader as pl

device = torch_xla.device()


def sample(model, loader, writer):
    for step, images in enumerate(pl.MpDeviceLoader(loader, device)):
        out = model(images)
        writer.add_image("first", images[0], step)
    for b in pl.MpDeviceLoader(loader, device):
        for row in b:
            print(row)
        out = model(b)
    for b in pl.MpDeviceLoader(loader, device):
        first, rest = b[0], b[1:]
        print(model(rest), first)
    for b in pl.MpDeviceLoader(loader, device):
        print(b[0])
        model.last = b
    for images, label in pl.MpDeviceLoader(loader, device):
        for image in images:
            print(image)
        print(model(image=images), label)
