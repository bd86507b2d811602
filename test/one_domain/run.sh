#!/bin/sh
# run.sh PROGRAM...: runs each test program in its folder, with a folder of logs of its own (others may run it at the same time).
# What a program prints is shown if it fails.
failed=0
here=$(pwd)
for program in "$@"; do
  name=$(basename "$program" .exe)
  mkdir -p "$here/logs/$name"
  cd "$(dirname "$here/$program")" || exit 1
  if ! "./$name.exe" --compact -o "$here/logs/$name" >"$here/logs/$name.out" 2>&1; then
    cat "$here/logs/$name.out" >&2
    echo "$name failed" >&2
    failed=1
  fi
done
test $# -gt 0 || { echo "nothing to run" >&2; failed=1; }
exit $failed
