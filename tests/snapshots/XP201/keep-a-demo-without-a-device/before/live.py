import argparse

import cv2
import torch

parser = argparse.ArgumentParser()
parser.add_argument("--cuda", action="store_true", help="not in use")
args = parser.parse_args()


def demo(net):
    def predict(frame):
        x = torch.from_numpy(frame).permute(2, 0, 1)
        found = net(x.unsqueeze(0)).data
        for i in range(found.size(1)):
            if found[0, i] >= 0.6:
                print(i)
        return frame

    while True:
        frame = predict(cv2.imread("frame.jpg"))
        cv2.imshow("frame", frame)


if __name__ == "__main__":
    from nets import build

    net = build()
    net.load_state_dict(torch.load("net.pth"))
    demo(net.eval())
