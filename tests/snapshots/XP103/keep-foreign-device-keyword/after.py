def play(song, device="cuda"):
    print(song, device)


play("barracuda", device="cuda")
