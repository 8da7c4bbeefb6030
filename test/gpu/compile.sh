#!/bin/sh
# compile.sh SOURCE COMPILER: all of the device code compiles to machine code, where nvcc is; half a minute of one core.
# Without nvcc: 77, skipped.
set -eu
source=$1 compiler=$2
nvcc=$(ls "$source"/.venv/lib/python3*/site-packages/nvidia/cu13/bin/nvcc 2>/dev/null || command -v nvcc || true)
[ -n "$nvcc" ] || { echo "no nvcc: setup/install cuda brings one"; exit 77; }
compile() {
  "$nvcc" -std=c++20 -O1 -ccbin "$compiler" -diag-suppress=1046,177 -Werror=all-warnings -I"$source/include" -I"$source/src" "$@" -o /dev/null
}
for what in "cuda sm_90" "tree sm_90" "chain sm_80 -DTHUD_JOINTS=7" "chain compute_80 -DTHUD_JOINTS=6"; do
  set -- $what
  file=$1 code=$2
  shift 2
  start=$(date +%s)
  compile "$@" -gencode=arch=compute_${code#*_},code=$code -c "$source/src/gpu/$file.cu"
  echo "$what: $(($(date +%s) - start)) s"
done
echo "compiled by $nvcc"
