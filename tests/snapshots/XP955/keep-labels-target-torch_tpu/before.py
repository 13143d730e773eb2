import torch

runs = {"xla": 1}
folder = "xla"
label = "xla:0"
print("xla", runs["xla"], torch.__version__)
if folder == "xla":
    print(label)
