#!/usr/bin/env bash
# wheel.sh OUT: builds a wheel for other machines and for Python 3.11 and later, OUT/thud-*manylinux*.whl. It carries the
# libraries of Debian that it uses; MuJoCo's is that of the package mujoco-core, which it depends on.
#
# Two things come from Debian's archive for this alone, into build/debian:
#   headers of Python 3.13, of Debian 13, for the module with the stable ABI (that of 3.12; Debian 12 has 3.11);
#   the source of HDF5, of Debian 12, built without the network file systems, whose libraries a wheel would carry along.
set -euo pipefail
cd "$(dirname "$0")/.."
out=$1 root=$PWD debian=$PWD/build/debian
say() { printf '%s\n' "wheel: $*" >&2; }

# archive SUITE COMMAND…: apt-get COMMAND on what that release of Debian has, from the archive that this machine installs from
archive() {
  local suite=$1 state=$debian/$1 site
  shift
  if [ ! -f "$state/sources.list" ]; then  # the last to be made
    mkdir -p "$state/lists/partial" "$state/cache/archives/partial"
    touch "$state/status"
    site=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' 'Component: main' | sed -n 1p)
    for kind in deb deb-src; do
      echo "$kind [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] ${site:?none that has main} $suite main"
    done >"$state/sources.part"
    mv "$state/sources.part" "$state/sources.list"
  fi
  apt-get -qq -o Dir::Etc::SourceList="$state/sources.list" -o Dir::Etc::SourceParts=/dev/null -o APT::Sandbox::User=root \
    -o Dir::State::Lists="$state/lists" -o Dir::State::status="$state/status" -o Dir::Cache="$state/cache" "$@"
}

mkdir -p "$debian"
cd "$debian"
if [ ! -d python ]; then
  say "headers of Python 3.13"
  archive trixie update
  rm -rf libpython3.13-dev_*.deb python.part  # of a run that was interrupted
  archive trixie download libpython3.13-dev
  dpkg-deb --extract libpython3.13-dev_*.deb python.part
  mv python.part/usr/include/*-linux-gnu/python3.13/pyconfig.h python.part/usr/include/python3.13
  mv python.part/usr/include/python3.13 python
  rm -r python.part
fi
if [ ! -d hdf5 ]; then
  say "HDF5"
  archive bookworm update
  rm -rf hdf5_* source hdf5.build hdf5.part
  archive bookworm source --download-only hdf5
  mkdir source hdf5.build
  tar -xf hdf5_*.orig.tar.* -C source --strip-components=1
  cd hdf5.build  # its configuration looks for files where it runs
  cmake ../source -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_COMPILER=gcc -DCMAKE_INSTALL_PREFIX="$debian/hdf5.part" \
    -DCMAKE_C_COMPILER_LAUNCHER="${CMAKE_CXX_COMPILER_LAUNCHER:-}" -DCMAKE_POSITION_INDEPENDENT_CODE=ON -DBUILD_SHARED_LIBS=OFF \
    -DBUILD_TESTING=OFF -DHDF5_BUILD_TOOLS=OFF -DHDF5_BUILD_EXAMPLES=OFF -DHDF5_BUILD_HL_LIB=OFF -DHDF5_BUILD_CPP_LIB=OFF \
    -DHDF5_ENABLE_Z_LIB_SUPPORT=ON -DHDF5_ENABLE_SZIP_SUPPORT=OFF >../hdf5.log
  cmake --build . --target install >>../hdf5.log
  cd ..
  mkdir -p hdf5.part/lib/pkgconfig
  cat >hdf5.part/lib/pkgconfig/hdf5-serial.pc <<PC
Name: hdf5
Description: HDF5 as a wheel carries it
Version: $(sed -n 's/.*"HDF5 library version \(.*\)"/\1/p' source/src/H5public.h)
Cflags: -I$debian/hdf5/include
Libs: -L$debian/hdf5/lib -lhdf5 -lz -ldl -lm
PC
  cp source/COPYING hdf5.part/COPYING
  mv hdf5.part hdf5
fi
cd "$root"

say "building"
made=build/wheel/made
rm -rf "$made"
PKG_CONFIG_PATH=$debian/hdf5/lib/pkgconfig .venv/bin/python -m pip wheel . -w "$made" --quiet --disable-pip-version-check \
  --no-build-isolation --check-build-dependencies --no-deps --config-settings=build-dir=build/wheel --config-settings=wheel.py-api=cp311 \
  --config-settings=cmake.define.CMAKE_COMPILE_WARNING_AS_ERROR=ON --config-settings=cmake.define.CMAKE_CXX_COMPILER=g++ \
  --config-settings=cmake.define.THUD_STABLE_ABI="$debian/python"
rm -f "$out"/thud-*.whl
PATH=$PWD/.venv/bin:$PATH auditwheel repair --strip --exclude 'libmujoco.so.*' -w "$out" "$made"/thud-*.whl

say "licences"
licenses=(hdf5="$debian/hdf5/COPYING")
for name in nanobind proxsuite; do licenses+=("$name=$(echo .venv/lib/python3*/site-packages/"$name"-*.dist-info/licenses/LICENSE)"); done
for package in libboost-dev libcereal-dev libcli11-dev libeigen3-dev libsimde-dev libtomlplusplus-dev nlohmann-json3-dev; do
  licenses+=("$package=/usr/share/doc/$package/copyright")
done
.venv/bin/python python/licenses.py "$out"/thud-*.whl "${licenses[@]}"
