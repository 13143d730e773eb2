import argparse

import models


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tied", action="store_true")
    args = parser.parse_args()
    model = models.Model(args.tied)
    tied = model.out.weight is model.emb.weight
    model.cuda()
    if tied:
        model.out.weight = model.emb.weight
    return model


main()
