open Weft_bench_harness

type 'result kind = {
  figures : seconds:float -> int -> Figure.t list;
  check : int -> 'result -> (unit, Benchmark.wrong) result;
}

let way ?(part = 1) ?(on = fun _ -> true) contestant { figures; check } program : Benchmark.way =
  let work ({ size; domains; cutoff = _ } : Benchmark.params) =
    let n = (size + part - 1) / part in
    if on domains then
      Some
        (Benchmark.Work
           {
             prepare = (fun () -> program ~domains n);
             compute = (fun run -> run ());
             check = check n;
             forks = None;
             figures = (fun ~seconds _ -> figures ~seconds n);
           })
    else None
  in
  { contestant; work }

let for_threads = 20

let count what n made =
  let show n = Printf.sprintf "%d %s" n what in
  if made = n then Ok () else Error { Benchmark.expected = show n; got = show made }

let benchmark ?group ~name ~doc ~size_doc ~default_size ways : Benchmark.t =
  {
    name;
    group;
    doc;
    size_doc;
    grain = Fixed;
    sizes = (0, 1_000_000_000);
    default_cutoffs = [ None ];
    default_size = (fun _ -> default_size);
    more_sizes = [];
    quick_size = (fun _ -> max 1 (default_size / 100));
    sweep_cutoffs = [];
    sweep_sizes = Benchmark.tenths default_size;
    paced = false;
    ways;
  }
