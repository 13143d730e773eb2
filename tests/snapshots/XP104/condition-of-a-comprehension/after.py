fast = [x for x in range(3)]
some = {x: 1 for x in range(3) if x}
