def kind(song):
    return song.type == "cuda"
