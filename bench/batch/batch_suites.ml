let all =
  List.map (fun s -> Map_benchmarks.mixed ~group:"batch" s Workload.insert Uniform) Structures.all
  @ [ Log_appends.benchmark ~group:"batch" ]
