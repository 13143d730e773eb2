import json

from torch.utils.data import DataLoader

config = {"pin_memory": True, "lr": 0.1}
settings = dict(pin_memory=True)
settings["pin_memory"] = False
json.dump([config, settings], open("run.json", "w"))
options = {"num_workers": 2}
loader = DataLoader([], **options)
