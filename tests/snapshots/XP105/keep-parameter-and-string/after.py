def describe(pin_memory):
    print("pin_memory", pin_memory)
    return {"pin_memory": pin_memory}
