#!/usr/bin/env bash
# wheel.sh WHEEL [SUITE…]: installs the wheel into an empty environment on bare machines that have Python and nothing else,
# and runs the command thud and the Python tests there; every library that it carries has its licence with it. SUITE is a release of Debian; without one bookworm (Python 3.11) and
# trixie (3.13).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
wheel=$(realpath "$1")
shift
case ${wheel##*/} in *-manylinux_2_35_x86_64.whl) ;; *) echo "${wheel##*/}: not of the platform that docs/python.md names"; exit 1 ;; esac
if python3 -m zipfile -l "$wheel" | grep libmujoco; then echo "${wheel##*/}: carries the library of mujoco-core"; exit 1; fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$here/../.."
cp -r --parents test/python test/sweep test/fuzz examples data docs include python setup README.md "$folder"  # what the tests read
rm -f "$folder"/python/thud/*.py  # they have the module from the wheel
cp "$wheel" "$folder"
# shellcheck disable=SC2016
for suite in ${*:-bookworm trixie}; do
  SUITE=$suite "$here/bare.sh" python3,python3-venv "$folder" bash -euxc '
    if command -v cc c++ gcc g++ cmake; then exit 1; fi
    python3 -m venv empty
    empty/bin/pip install --quiet --disable-pip-version-check ./thud-*.whl
    empty/bin/pip list --disable-pip-version-check
    empty/bin/thud --version
    empty/bin/thud predict panda --q 0,0.1,0,-1.5,0,3.1708,0.7854 --speed 0.12 --frame panda_foot --offset 0,0,0.0223 --normal -1,0,0 >/dev/null
    sed "s/^repeats.*/repeats = 1/; s/^speeds.*/speeds = [0.12]/" <(empty/bin/thud simulate --print-default) >campaign.toml
    empty/bin/thud simulate campaign.toml --out campaign.h5       # MuJoCo is found
    empty/bin/thud study campaign.h5 --out study --json | grep -q verdicts
    test -s study/report.html
    (cd empty/lib/python3*/site-packages && for library in thud.libs/*.so*; do test -s thud-*.dist-info/licenses/"${library#*/}"; done && test -s thud-*.dist-info/licenses/hdf5)
    test -s empty/share/thud/records/viscoelastic.csv
    test -s empty/share/man/man1/thud.1.gz
    test -s empty/share/bash-completion/completions/thud
    empty/bin/python examples/impact.py | grep -q "best explained by viscoelastic"
    # what the tests need beside it: packages, and the library that writes logs of MATLAB
    apt-get update -qq
    apt-get install -y -qq --no-install-recommends "^libmatio[0-9]+$" >/dev/null
    empty/bin/pip install --quiet --disable-pip-version-check --no-deps -r setup/requirements.txt
    THUD=$PWD/empty/bin/thud empty/bin/python -m unittest discover -s test/python'
done
