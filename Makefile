# The commands of the README. Each sees first that everything needed is installed.

.PHONY: build test demo doc rivals clean

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
	_build/install/default/bin/weft bench fib nqueens

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
