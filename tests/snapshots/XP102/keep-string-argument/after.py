def fish(barra):
    return barra.cuda("foo")
