import json


def load(path, map_location):
    return json.load(open(path))


load("x", map_location="cuda")
