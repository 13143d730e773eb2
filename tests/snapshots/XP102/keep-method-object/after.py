def lazy(model):
    move = model.cuda
    return move
