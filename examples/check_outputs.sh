#!/bin/sh
# check_outputs.sh FOLDER...: runs every NAME.exe that has a NAME.expected in one of these folders, and compares what it prints. One
# that runs for ten minutes hangs. NAME.arguments has its arguments, if there are any. Folders without a .expected are left out.
failed=0
ran=0
fails() { echo "$*" >&2; failed=1; }

check() {
  name=${1%.expected}
  actual=$(mktemp)
  # shellcheck disable=SC2046 # words
  timeout 600 "./$name.exe" $(cat "$name.arguments" 2>/dev/null) >"$actual" 2>&1
  code=$?
  case $code in 0) ;; 124) fails "$name hangs" ;; *) fails "$name ended with $code" ;; esac
  diff -u "$1" "$actual" >&2 || failed=1
  rm -f "$actual"
  ran=$((ran + 1))
}

here=$(pwd)
for folder in "$@"; do
  cd "$here/$folder" || exit 1
  set -- *.expected
  test -e "$1" || continue
  for expected in "$@"; do check "$expected"; done
  for program in *.exe; do test -f "${program%.exe}.expected" || fails "$folder: $program has no .expected file"; done
done
test "$ran" -gt 0 || fails "nothing to check"
exit $failed
