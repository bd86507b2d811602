#!/bin/sh
# Runs every NAME.exe of this folder that has a NAME.expected, within a minute each, and compares what it prints.
failed=0
ran=0
for expected in *.expected; do
  name=${expected%.expected}
  actual=$(mktemp)
  if ! timeout 60 "./$name.exe" > "$actual" 2>&1; then
    echo "$name failed, or took more than a minute" >&2
    failed=1
  fi
  diff -u "$expected" "$actual" >&2 || failed=1
  rm -f "$actual"
  ran=$((ran + 1))
done
for program in *.exe; do
  test -f "${program%.exe}.expected" || { echo "$program has no .expected file" >&2; failed=1; }
done
test "$ran" -gt 1 || { echo "nothing to check" >&2; failed=1; }
exit $failed
