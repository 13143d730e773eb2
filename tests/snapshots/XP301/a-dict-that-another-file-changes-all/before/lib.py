def tick(stats):
    stats["seen"] += 1
