def piece(source, start, count):
    count = min(count, source.size(1) - start)
    return source[:, start : start + count].contiguous()
