let all : Map_benchmarks.structure list = []
