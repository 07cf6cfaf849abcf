#!/bin/sh
cp -a notes /mnt/daily
