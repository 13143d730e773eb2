def configure(exact):
    if exact:
        print("exact")
    if exact:
        print("exact")
    elif exact is None:
        pass
    if exact: print("exact")
    return exact
