def main(args):
    if args.cpu:
        device = "a"
    else:  # there
        device = "b"  # bee
        # end of bee
    # after
    return device
