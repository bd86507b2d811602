open Weft_bench_harness

let benchmark ~name ~doc ~size_doc ~default_size ?(paced = false) ways : Benchmark.t =
  {
    name;
    group = None;
    doc;
    size_doc;
    grain = Fixed;
    sizes = (1, 1_000_000);
    default_cutoffs = [ None ];
    default_size = (fun _ -> default_size);
    more_sizes = [];
    quick_size = (fun _ -> default_size);
    sweep_cutoffs = [];
    sweep_sizes = [ default_size ];
    paced;
    ways;
  }

let way ~check ?(figures = fun ~seconds:_ _ -> []) compute contestant : Benchmark.way =
  let work ({ size; _ } : Benchmark.params) =
    Some
      (Benchmark.Work
         {
           prepare = (fun () -> size);
           compute;
           check = (fun result -> check size result);
           forks = None;
           figures;
         })
  in
  { contestant; work }
