#!/bin/sh
# core.sh SOURCE FOLDER COMPILER: thud without lab, study and report, static, built in FOLDER, installed and used from there.
# Its headers are those of the core, and a component that was not built is not found. In a FOLDER as deep as that of another
# build, ccache has the objects.
set -eu
source=$1 folder=$2 compiler=$3
rm -rf "$folder/prefix" "$folder/user"
cmake -S "$source" -B "$folder" -G Ninja -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_INSTALL_PREFIX="$folder/prefix" \
  -DCMAKE_COMPILE_WARNING_AS_ERROR=ON -DBUILD_SHARED_LIBS=OFF -DTHUD_LAB=OFF -DTHUD_TOOLS=OFF -DTHUD_TESTS=OFF >/dev/null
cmake --build "$folder" --target install >/dev/null
for header in dataset campaign lab study report; do
  [ ! -e "$folder/prefix/include/thud/$header.hpp" ] || { echo "$header.hpp is installed"; exit 1; }
done
cmake -S "$source/test/package" -B "$folder/user" -G Ninja -DCMAKE_CXX_COMPILER="$compiler" \
  -DCMAKE_PREFIX_PATH="$folder/prefix" >/dev/null
cmake --build "$folder/user"
"$folder/user/package_user"
if cmake -S "$source/test/package" -B "$folder/user" -DCOMPONENTS=lab 2>"$folder/refusal"; then
  echo "the component lab is found, and was not built"
  exit 1
fi
grep -q lab "$folder/refusal"
