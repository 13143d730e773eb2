"""Train the head of a one-stage detector on made-up images, and find the objects in others.

    python train.py                     # nothing to download
    python train.py --epochs 20 --threshold 0.4
"""

import argparse
import time

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset

SIZE, STRIDE, CELLS = 64, 8, 8
CLASSES = 3


class Shapes(Dataset):
    """Images of one to four squares, crosses and bars, each with the same number of (mostly empty) places for boxes."""

    def __init__(self, count, seed):
        self.generator = torch.Generator().manual_seed(seed)
        self.items = [self.make() for _ in range(count)]

    def number(self, low, high):
        return int(torch.randint(low, high, (1,), generator=self.generator))

    def make(self):
        image = 0.1 * torch.randn(1, SIZE, SIZE, generator=self.generator)
        boxes, labels = torch.zeros(4, 4), torch.full((4,), -1)
        for i in range(self.number(1, 5)):
            size = self.number(10, 22)
            x, y, kind = self.number(0, SIZE - size), self.number(0, SIZE - size), self.number(0, CLASSES)
            part = image[0, y : y + size, x : x + size]
            if kind == 0:
                part += 1
            elif kind == 1:
                part[size // 2 - 2 : size // 2 + 2] += 1
                part[:, size // 2 - 2 : size // 2 + 2] += 1
            else:
                part[:, ::4] += 1
                part[:, 1::4] += 1
            boxes[i] = torch.tensor([x, y, x + size, y + size])
            labels[i] = kind
        return image, boxes, labels

    def __len__(self):
        return len(self.items)

    def __getitem__(self, index):
        return self.items[index]


class Detector(nn.Module):
    def __init__(self, width):
        super().__init__()
        layers, channels = [], 1
        for i in range(3):
            layers += [nn.Conv2d(channels, width << i, 3, 2, 1), nn.GroupNorm(4, width << i), nn.ReLU(inplace=True)]
            channels = width << i
        self.backbone = nn.Sequential(*layers, nn.Conv2d(channels, channels, 3, padding=1), nn.ReLU(inplace=True))
        self.scores = nn.Conv2d(channels, CLASSES, 1)
        self.boxes = nn.Conv2d(channels, 4, 1)
        nn.init.constant_(self.scores.bias, -3.0)

    def forward(self, images):
        """Scores of (batch, places, classes) and distances of (batch, places, 4) to the sides of a box."""
        features = self.backbone(images)
        scores = self.scores(features).flatten(2).transpose(1, 2)
        distances = F.softplus(self.boxes(features)).flatten(2).transpose(1, 2) * STRIDE
        return scores, distances


def make_centers(device):
    steps = (torch.arange(CELLS, device=device) + 0.5) * STRIDE
    y, x = torch.meshgrid(steps, steps, indexing="ij")
    return torch.stack([x.flatten(), y.flatten()], dim=1)


def assign(centers, boxes, labels):
    """The class of each place, 0 to 2, or 3 where nothing is, and its distances to the sides of the object."""
    left_top = centers[None, :, None] - boxes[:, None, :, :2]
    right_bottom = boxes[:, None, :, 2:] - centers[None, :, None]
    distances = torch.cat([left_top, right_bottom], dim=-1)
    inside = (distances.min(dim=-1).values > 0) & (labels[:, None] >= 0)
    areas = (boxes[..., 2:] - boxes[..., :2]).prod(-1)[:, None].expand(-1, len(centers), -1)
    smallest = areas.masked_fill(~inside, float("inf")).min(dim=-1).indices
    classes = labels[:, None].expand(-1, len(centers), -1).gather(-1, smallest[..., None]).squeeze(-1).clone()
    classes[~inside.any(-1)] = CLASSES
    wanted = distances.gather(2, smallest[..., None, None].expand(-1, -1, 1, 4)).squeeze(2)
    return classes, wanted


def detection_loss(scores, distances, classes, wanted):
    positive = classes < CLASSES
    targets = F.one_hot(classes, CLASSES + 1)[..., :CLASSES].float()
    focal = F.binary_cross_entropy_with_logits(scores, targets, reduction="none")
    focal = focal * (targets - scores.sigmoid()).abs() ** 2
    overlap = torch.minimum(distances, wanted)
    union = torch.maximum(distances, wanted)
    iou = (overlap[..., :2] + overlap[..., 2:]).prod(-1) / (union[..., :2] + union[..., 2:]).prod(-1)
    box_loss = (1 - iou)[positive].sum()
    count = positive.sum().clamp(min=1)
    return focal.sum() / count, box_loss / count


def nms(boxes, scores, threshold):
    """Of boxes that overlap, the one of the highest score: how many are left depends on the image."""
    keep = []
    order = scores.argsort(descending=True)
    areas = (boxes[:, 2:] - boxes[:, :2]).prod(-1)
    while order.numel() > 0:
        best = order[0]
        keep.append(best)
        rest = order[1:]
        width_height = torch.minimum(boxes[best, 2:], boxes[rest, 2:]) - torch.maximum(boxes[best, :2], boxes[rest, :2])
        overlap = width_height.clamp(min=0).prod(-1)
        iou = overlap / (areas[best] + areas[rest] - overlap)
        order = rest[iou <= threshold]
    return torch.stack(keep) if keep else order


@torch.no_grad()
def detect(model, image, centers, args):
    """The boxes, classes and scores of one image."""
    scores, distances = model(image.unsqueeze(0))
    scores, classes = scores[0].sigmoid().max(dim=-1)
    boxes = torch.cat([centers - distances[0, :, :2], centers + distances[0, :, 2:]], dim=-1)
    scores, top = scores.topk(args.topk)
    boxes, classes = boxes[top], classes[top]
    sure = scores > args.threshold
    boxes, classes, scores = boxes[sure], classes[sure], scores[sure]
    keep = nms(boxes, scores, args.iou)
    return boxes[keep], classes[keep], scores[keep]


def main():
    parser = argparse.ArgumentParser(description="one-stage detector")
    parser.add_argument("--batch-size", type=int, default=16)
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--lr", type=float, default=3e-3)
    parser.add_argument("--width", type=int, default=16)
    parser.add_argument("--train-size", type=int, default=512)
    parser.add_argument("--test-size", type=int, default=32)
    parser.add_argument("--topk", type=int, default=32)
    parser.add_argument("--threshold", type=float, default=0.3)
    parser.add_argument("--iou", type=float, default=0.5)
    parser.add_argument("--log-interval", type=int, default=16)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()

    torch.manual_seed(args.seed)
    torch.cuda.manual_seed(args.seed)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

    loader = DataLoader(Shapes(args.train_size, 1), args.batch_size, shuffle=True, drop_last=True, pin_memory=True)
    model = Detector(args.width).to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    centers = make_centers(device)

    for epoch in range(args.epochs):
        model.train()
        start = time.time()
        for step, (images, boxes, labels) in enumerate(loader):
            images, boxes, labels = images.to(device), boxes.to(device), labels.to(device)
            classes, wanted = assign(centers, boxes, labels)
            scores, distances = model(images)
            class_loss, box_loss = detection_loss(scores, distances, classes, wanted)
            loss = class_loss + box_loss
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            if step % args.log_interval == 0:
                print(f"epoch {epoch} step {step}: loss {loss.item():.4f} box loss {box_loss.item():.4f}")
        print(f"epoch {epoch}: {time.time() - start:.1f} s")

    model.eval()
    found, there, right = 0, 0, 0
    for image, boxes, labels in Shapes(args.test_size, 2):
        predicted, classes, _ = detect(model, image.to(device), centers, args)
        predicted, classes = predicted.cpu(), classes.cpu()
        found, there = found + len(predicted), there + int((labels >= 0).sum())
        for box, label in zip(boxes[labels >= 0], labels[labels >= 0]):
            near = (predicted - box).abs().max(dim=-1).values < 4 if len(predicted) else torch.zeros(0).bool()
            right += bool((classes[near] == label).any())
    print(f"objects: {there} there, {found} found, {right} right")


if __name__ == "__main__":
    main()
