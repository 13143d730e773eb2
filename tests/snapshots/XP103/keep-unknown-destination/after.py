import json

device = "cuda"
json.dump(device, open("x", "w"))
