def sync(device, song):
    if device.type == "cuda":
        print("wait")
    return song.type == "cuda"
