from common import prepare

prepare("cuda")
