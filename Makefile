# The commands of the README. Each sees first that everything needed is installed.

.PHONY: build check test test-long test-tsan soak platforms demo bench book mpi rivals doc dist clean

build:
	@scripts/setup
	dune build --release @install
	@scripts/mpi --left-out

# What to run before a commit: layout, warnings, each test program once with small counts. Two minutes after a build.
check:
	@scripts/setup
	scripts/test --quick

# Everything that the README promises. Twelve minutes on two processors after a build.
test:
	@scripts/setup
	scripts/test

# The same with large counts, and the exhaustive forms of the models. An hour and more, 3 GB.
test-long:
	@scripts/setup
	scripts/test --long

# Data races, by ThreadSanitizer: builds an OCaml for it the first time, some minutes and 500 MB
# outside the tree; then half an hour.
test-tsan:
	@scripts/setup
	scripts/tsan

# Everything at once on 1, 2, 3, 8 and 16 domains, for so many hours (HOURS=0.1: six minutes), with
# a table and, for each failure, the command that repeats it. SEED=N: as another time.
soak:
	@scripts/setup
	@scripts/soak $(or $(HOURS),1) $(SEED)

# The tests on what other platforms this machine can be or imitate, and a table. Hours;
# scripts/platforms NAME... runs some.
platforms:
	@scripts/setup
	@scripts/platforms

demo:
	@scripts/setup
	dune build --release @install ./examples
	_build/install/default/bin/weft doctor
	_build/default/examples/words/words.exe
	_build/install/default/bin/weft bench fib
	_build/install/default/bin/weft bench nqueens --size 13

# Measures, and writes results and a report to bench-report/ (REPORT=DIR). QUICK=1: some minutes,
# with small sizes; without it, hours; RUNS=1: one run of each (and one to warm up). What is swept by
# domains and by cutoff: SWEEP="fib lu". scripts/bench says what happens if it is cut short.
export QUICK RUNS SWEEP REPORT

bench:
	@scripts/setup
	dune build --release @install
	@scripts/bench

# The algorithms of doc/algorithms.md: the best sequential program, the same steps in plain code, the
# version from the book, and the best one with cutoffs by hand. Five rounds and one to warm up, some
# five minutes; RUNS=1: one.
book:
	@scripts/setup
	dune build --release @install
	_build/install/default/bin/weft bench book --domains 1,2 $(if $(RUNS),--runs $(RUNS))

doc:
	@scripts/setup
	@scripts/doc _site
	@echo "The pages are in _site; the first is _site/index.html"

# An MPI, and the package weft-mpi with its tests, which are then part of make test, and its examples.
mpi:
	@scripts/setup
	@scripts/mpi
	dune build --release @install ./test/mpi ./examples/cluster

# What weft bench compares Weft with, as far as it is to be had here.
rivals:
	@scripts/setup
	@scripts/rivals
	dune build --release @install

# dist/weft-VERSION.tbz of what is committed, once each package has been built from it alone, outside the repository.
dist:
	@scripts/setup
	@scripts/dist

clean:
	dune clean
	rm -rf _site
