def connect(pool, open_cache):
    options = {"size": 4}
    options.update({"pin_memory": True})
    options.setdefault("pin_memory", True)
    return open_cache(pool, **options)
