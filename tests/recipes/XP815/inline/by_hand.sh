#!/bin/sh
python asks.py
