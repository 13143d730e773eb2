def prepare(mode):
    if mode.startswith("slow"):
        print("slow")
    if mode == "fast":
        pass
    # nobody asked for speed
    else:
        print("slow")


prepare("fast")
