import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(4, 9).to(device)
images = torch.utils.data.DataLoader(torch.zeros(64, 4), batch_size=8)
with torch.no_grad(), open("found.txt", "w") as file:
    for image in images:
        found = model(image.to(device))
        boxes = found * 2
        for row in range(found.size(0)):
            place = 0
            while found[row, place] >= 0.6:
                box = (boxes[row] / 4).cpu().numpy()
                file.write(f"{row} {box[0]}\n")
                place += 1
        best = []
        for row in range(found.size(0)):
            if found[row, 0] < 0.1:
                break
            best.append((found[row, 1] + 1).item())
        scale = found.amax()
        while scale > 1:  # each pass changes it
            scale = scale / 2
            print("smaller", scale)
        total = found.sum()
        for row in range(found.size(0)):
            if found[row, 2] < 0.1:
                break
            total = total + found[row].amax()  # for the device
            print(row)
        print(total)
