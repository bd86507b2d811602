open Weft_bench_harness

type t =
  | Subject : {
      prepare : int -> 'input;
      step : 'input -> int -> unit;
      check : int -> 'input -> (unit, Benchmark.wrong) result;
      figures : 'input -> Figure.t list;
    }
      -> t

type 'input result = { input : 'input; begun : Methods.words; mutable words : float }

let work how n (Subject { prepare; step; check; figures }) =
  Benchmark.Work
    {
      prepare = (fun () -> prepare n);
      compute =
        (fun input ->
          let begun = Methods.words () in
          how n (step input);
          { input; begun; words = nan });
      check =
        (fun result ->
          result.words <- Methods.words_since result.begun;
          check n result.input);
      forks = None;
      figures = (fun ~seconds { input; words; _ } -> Methods.figures ~seconds ~words n @ figures input);
    }

let way contestant how subject : Benchmark.way =
  { contestant; work = (fun { Benchmark.size; domains = _; cutoff = _ } -> Some (work how size subject)) }

(* On several domains it would be incorrect. *)
let alone (way : Benchmark.way) =
  { way with work = (fun params -> if params.domains = 1 then way.work params else None) }

let benchmark ?(greatest = 100_000_000) ~group ~name ~doc ~default_size ~sequential ?unlocked ~coarse
    ?lockfree batched : Benchmark.t =
  {
    name;
    group = Some group;
    doc;
    size_doc = "the number of operations";
    grain = Fixed;
    sizes = (0, greatest);
    default_cutoffs = [ None ];
    default_size = (fun _ -> default_size);
    more_sizes = [];
    quick_size = (fun _ -> max 1 (default_size / 100));
    sweep_cutoffs = [];
    sweep_sizes = Benchmark.tenths default_size;
    paced = false;
    ways =
      [ way Weft_bench_contestants.Plain.contestant Methods.in_order sequential ]
      @ Option.to_list (Option.map (fun s -> alone (way Methods.unlocked Methods.tasks s)) unlocked)
      @ [ way Methods.coarse Methods.tasks coarse ]
      @ Option.to_list (Option.map (way Methods.lockfree Methods.tasks) lockfree)
      @ [ way Methods.batched Methods.tasks batched ];
  }
