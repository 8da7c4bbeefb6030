#!/bin/sh
# compile.sh SOURCE COMPILER: the device code of chains and trees compiles, where nvcc is. Without it: 77, skipped.
set -eu
source=$1 compiler=$2
nvcc=$(ls "$source"/.venv/lib/python3*/site-packages/nvidia/cu13/bin/nvcc 2>/dev/null || command -v nvcc || true)
[ -n "$nvcc" ] || { echo "no nvcc: setup/install cuda brings one"; exit 77; }
for file in chain tree; do
  "$nvcc" -std=c++20 -O1 -ccbin "$compiler" -diag-suppress=1046,177 -Werror=all-warnings -I"$source/src" -gencode=arch=compute_80,code=compute_80 \
    -DTHUD_JOINTS=6 -c "$source/src/gpu/$file.cu" -o /dev/null
done
echo "compiled by $nvcc"
