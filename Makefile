# The commands of the README. Each sees first that everything needed is installed.

.PHONY: build test demo bench rivals doc clean

build:
	@scripts/setup
	dune build --release @install

test:
	@scripts/setup
	scripts/test

demo:
	@scripts/setup
	dune build --release @install ./examples
	_build/install/default/bin/weft doctor
	_build/default/examples/words/words.exe
	_build/install/default/bin/weft bench fib
	_build/install/default/bin/weft bench nqueens --size 13

# Measures, and writes results and a report to bench-report/. QUICK=1: some minutes, with small sizes; without it, hours.
# What is there for sweeps by domains and by cutoff: SWEEP="fib lu".
SWEEP = fib nqueens iota for_irregular lu matmul
REPORT = bench-report
weft = _build/install/default/bin/weft

bench:
	@scripts/setup
	@command -v gnuplot >/dev/null || { echo "make bench: gnuplot draws the report: install it first (Debian: apt-get install gnuplot-nox)" >&2; exit 2; }
	dune build --release @install
	mkdir -p $(REPORT)
	$(weft) bench all $(if $(QUICK),--quick) --json $(REPORT)/all.json
	$(weft) bench $(SWEEP) --sweep domains $(if $(QUICK),--quick) --json $(REPORT)/domains.json
	$(weft) bench $(SWEEP) --sweep cutoff $(if $(QUICK),--quick) --json $(REPORT)/cutoffs.json
	[ -n "$(QUICK)" ] || $(weft) bench uts_t3l --method sequential,par --runs 1 --json $(REPORT)/deep.json
	$(weft) plot $(REPORT)/all.json $(REPORT)/domains.json $(REPORT)/cutoffs.json $(if $(QUICK),,$(REPORT)/deep.json) -o $(REPORT) --format svg,png,pdf
	@echo "The report is in $(REPORT)/report.html"

doc:
	@scripts/setup
	dune build @doc
	@echo "The API documentation is in _build/default/_doc/_html/index.html"

# What weft bench compares Weft with, as far as it is to be had here.
rivals:
	@scripts/setup
	@scripts/rivals
	dune build --release @install

clean:
	dune clean
