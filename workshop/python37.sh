#!/bin/sh
# Makes the virtual environment .venv37 with the platform's Python 3.7 and numpy, unless it is there; prints the versions.
#   python37.sh PYTHON      PYTHON: an interpreter with this project installed
set -e
cd "$(dirname "$0")/.."
wanted=workshop/python37.txt made=.venv37/requirements.txt
if ! cmp -s $wanted $made; then
    rm -f $made
    found=$("$1" -m local_runner.processes.interpreters)
    rm -rf .venv37
    "$found" -m venv .venv37
    .venv37/bin/python -m pip install --quiet --disable-pip-version-check -r $wanted
    cp $wanted $made
fi
.venv37/bin/python -c 'import sys, numpy; print("Python %s, numpy %s" % (sys.version.split()[0], numpy.__version__))'
