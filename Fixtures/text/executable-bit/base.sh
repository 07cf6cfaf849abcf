#!/bin/sh
cp -r notes /mnt
