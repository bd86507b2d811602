# shellcheck shell=sh
# What the scripts share that make chroots of Debian. They read it with ". scripts/chroot.sh", and define stop, which prints its arguments
# and exits. Making a chroot wants root and debootstrap.

# Where this machine gets its own packages from.
debian_mirror() {
  cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources 2>/dev/null |
    sed -n 's/^URIs: *\([^ ]*\).*/\1/p; s/^deb *\(\[[^]]*\] *\)\{0,1\}\([^ ]*\) .*/\2/p' | grep '/debian/*$' | head -n 1
}

# make_chroot ROOT SUITE LOG [ARCHITECTURE]: git and make, and what is committed here, in /weft. A foreign architecture wants its emulator.
make_chroot() {
  mirror=$(debian_mirror)
  [ -n "$mirror" ] || stop "found no Debian mirror in /etc/apt"
  debootstrap ${4:+--foreign --arch="$4"} --variant=minbase --include=git,make,ca-certificates "$2" "$1" "$mirror" >"$3" 2>&1 ||
    { tail -n 5 "$3" >&2; stop "debootstrap of $2 failed, see $3"; }
  # The second stage mounts what it needs, and unmounts it.
  [ -z "${4-}" ] || chroot "$1" /debootstrap/debootstrap --second-stage >>"$3" 2>&1 || stop "debootstrap of $2 for $4 failed, see $3"
  for m in dev dev/pts proc sys; do mount --bind "/$m" "$1/$m" || stop "cannot mount /$m"; done
  cp /etc/resolv.conf "$1/etc/resolv.conf" 2>/dev/null
  # How this machine reaches the mirror: proxies, certificates. Its lists may have expired.
  for f in /etc/apt/apt.conf.d/*proxy* /etc/apt/apt.conf; do [ ! -f "$f" ] || cp "$f" "$1/etc/apt/apt.conf.d/"; done
  echo 'Acquire::Check-Valid-Until "false";' >"$1/etc/apt/apt.conf.d/99weft"
  [ -z "${4-}" ] || echo "deb $mirror $2 main" >"$1/etc/apt/sources.list"
  git clone -q --no-hardlinks . "$1/weft" || stop "cannot clone the repository"
}

# in_chroot ROOT COMMANDS: as root, in /weft, by bash, up to the first command that fails.
in_chroot() {
  chroot "$1" /usr/bin/env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb \
    bash -e -u -c "cd /weft
$2" </dev/null
}

umount_chroot() { for m in dev/pts dev proc sys; do umount "$1/$m" 2>/dev/null || :; done; }

remove_chroot() {
  umount_chroot "$1"
  rm -rf --one-file-system "$1"
}
