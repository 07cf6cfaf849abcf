#!/bin/sh
cp *.html /srv/www
