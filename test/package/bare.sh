#!/usr/bin/env bash
# bare.sh PACKAGES FOLDER COMMAND: runs COMMAND in a copy of FOLDER, inside a Debian root that has nothing but PACKAGES
# (names with commas). SUITE in the environment names another release than Debian 12, bookworm. Needs root, mmdebstrap and
# Debian's packages.
set -euo pipefail
packages=$1 folder=$2
shift 2
root=$(mktemp -d /var/tmp/thud.XXXXXX)
trap 'rm -rf --one-file-system "$root"' EXIT
mmdebstrap --quiet --mode=root --variant=minbase --include="ca-certificates,$packages" "${SUITE:-bookworm}" "$root"
# what the network here needs
cp /etc/resolv.conf /etc/hosts "$root/etc/"
cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
[ ! -f /etc/pip.conf ] || cp /etc/pip.conf "$root/etc/"
cp -r "$folder" "$root/srv/thud"
vars=(PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 TERM=dumb DEBIAN_FRONTEND=noninteractive)
for name in SSL_CERT_FILE http_proxy https_proxy no_proxy; do [ -z "${!name:-}" ] || vars+=("$name=${!name}"); done
unshare --mount -- bash -c '
  root=$1; shift
  mount --bind /proc "$root/proc"; mount --rbind /dev "$root/dev"; mount -t tmpfs tmpfs "$root/tmp"
  exec chroot "$root" "$@"' bare "$root" env -i "${vars[@]}" bash -c 'cd /srv/thud && exec "$@"' bare "$@"
