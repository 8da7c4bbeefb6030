#!/usr/bin/env bash
# deb.sh PACKAGE: installs the Debian package on a bare machine, runs its program there, and builds and runs the examples
# that it brings against it.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp "$1" "$folder/thud.deb"
cp "$here/CMakeLists.txt" "$here/main.cpp" "$here/dataset.cpp" "$folder"
# shellcheck disable=SC2016
"$here/bare.sh" man-db "$folder" bash -euxc '
  apt-get update -qq
  apt-get install -y -qq --no-install-recommends ./thud.deb >/dev/null
  thud --version
  thud predict panda --q 0,0.1,0,-1.5,0,3.1708,0.7854 --speed 0.12 --frame panda_foot --offset 0,0,0.0223 --normal -1,0,0 >/dev/null
  man thud | grep -q "thud predict"
  test -s /usr/share/man/man1/thud.1.gz
  test -s /usr/share/bash-completion/completions/thud
  test -s /usr/share/zsh/vendor-completions/_thud
  test -s /usr/share/fish/vendor_completions.d/thud.fish
  sed "s/^repeats.*/repeats = 1/; s/^speeds.*/speeds = [0.12]/" <(thud simulate --print-default) >campaign.toml
  thud simulate campaign.toml --out campaign.h5       # MuJoCo is found
  thud study campaign.h5 --out study --json | grep -q verdicts
  test -s study/report.html
  apt-get install -y -qq --no-install-recommends cmake g++ make >/dev/null
  cmake -S /usr/share/doc/thud/examples -B examples && cmake --build examples
  ctest --test-dir examples --output-on-failure
  cmake -S . -B user "-DCOMPONENTS=dataset;lab;study;sweep;report" && cmake --build user && user/package_user
  dpkg --purge thud
  if test -e /usr/lib/thud; then exit 1; fi'
