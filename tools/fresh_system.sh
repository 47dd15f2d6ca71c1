# SPDX-License-Identifier: BSD-3-Clause
# Fresh systems of Debian in which a script tries something. Source this behind steps.sh; then begin_systems makes $folder for them.

# lacks WHAT: ends a script that cannot be tried here.
lacks() {
  echo "tools/$tool: $1"
  skipped=1
  counts
  exit 0
}

begin_systems() {
  [ "$(id -u)" -eq 0 ] || lacks "it needs root, for systems of its own"
  command -v debootstrap >/dev/null || lacks "it needs debootstrap"
  command -v unshare >/dev/null || lacks "it needs unshare (util-linux)"
  folder=$(mktemp -d "${TMPDIR:-/var/tmp}/cadastre-systems.XXXXXX")
  trap 'rm -rf --one-file-system "$folder"' EXIT
}

# inside SYSTEM COMMAND...: processes and mounts of a system end with its command. It has a /dev of its own, with what debootstrap made there.
inside() {
  local system=$1
  shift
  unshare --mount --pid --fork sh -c 'mount -t proc proc "$0/proc" && mount -t sysfs -o ro sysfs "$0/sys" &&
    mount -t tmpfs tmpfs "$0/dev/shm" && mount -t devpts -o newinstance,ptmxmode=666 devpts "$0/dev/pts" &&
    exec chroot "$@"' "$folder/$system" "$folder/$system" \
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C DEBIAN_FRONTEND=noninteractive \
    DEB_BUILD_OPTIONS="${DEB_BUILD_OPTIONS-}" DEBEMAIL="${DEBEMAIL-}" "$@"
}

# Sets tarball: TARBALL=..., or that of this checkout.
make_tarball() {
  tarball=${TARBALL-}
  [ -z "$tarball" ] || return 0
  local build=$root/build/$tool/source
  make_configure
  mkdir -p "$build"
  [ "$build/config.status" -nt "$root/configure" ] ||
    step configure "configuring" env --chdir="$build" "$root/configure" --disable-fortran --disable-command
  step dist "making the tarball" make -C "$build" dist
  tarball=$(ls "$build"/cadastre-*.tar.gz)
}

# A system of this suite, in $folder/base, with the lists of its packages.
make_base_system() {
  mkdir -p "$folder/base"
  step debootstrap "a fresh system of $1" debootstrap --variant=minbase "$1" "$folder/base" ${MIRROR:+"$MIRROR"}
  step update "reading the lists of packages" inside base apt-get update
}
