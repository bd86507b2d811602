#!/bin/sh
# versions.sh: prints versions.ml, the versions of the libraries that the rivals and the structures without locks come from,
# as far as they are known here. dune runs it, in a folder that has a copy of vendor.
line() { [ -z "$2" ] || printf '    ("%s", "%s");\n' "$1" "$(printf %s "$2" | tr -d '"\\\n')"; }

of_library() {
  command -v ocamlfind >/dev/null 2>&1 || return 0
  version=$(ocamlfind query -format %v "$1" 2>/dev/null) && [ -n "$version" ] && printf '%s %s' "${1%%.*}" "$version"
}

echo 'let all ='
echo '  ['
if [ -e vendor/domainslib/VERSION ]; then
  line domainslib "domainslib $(head -n 1 vendor/domainslib/VERSION)"
else
  line domainslib "$(of_library domainslib)"
fi
for name in moonpool-ws moonpool-fifo; do line $name "$(of_library moonpool)"; done
line picos "$(of_library picos_mux)"
line lockfree "$(of_library saturn)"
echo '  ]'
