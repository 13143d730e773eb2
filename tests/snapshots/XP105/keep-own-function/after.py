def build(data, pin_memory=False):
    return data, pin_memory


build([], pin_memory=True)
