open Benchmark

type choice = {
  benchmarks : Benchmark.t list;
  methods : Contestant.t list option;
  domains : int list;
  cutoffs : int option list option;
  size : int option;
}

type config = {
  benchmark : Benchmark.t;
  contestant : Contestant.t;
  params : Benchmark.params;
  work : Benchmark.work;
}

let describe { benchmark; contestant; params; _ } =
  Printf.sprintf "%s %d, %s, %s, %d domain%s" benchmark.name params.size
    (match params.cutoff with None -> "no cutoff" | Some c -> Printf.sprintf "cutoff %d" c)
    contestant.name params.domains
    (if params.domains = 1 then "" else "s")

let is_chosen choice (contestant : Contestant.t) =
  match choice.methods with None -> true | Some methods -> List.exists (Contestant.equal contestant) methods

let configs_of benchmark ways params =
  List.filter_map
    (fun ({ contestant; work } : Benchmark.way) ->
      Option.map (fun work -> { benchmark; contestant; params; work }) (work params))
    ways

(* The cases of a benchmark are its sizes and cutoffs. Two cases may have the same size; the baseline, which
   knows no cutoff, comes with the first of them only. *)
let cases choice (benchmark : Benchmark.t) =
  let cutoffs = Option.value choice.cutoffs ~default:benchmark.default_cutoffs in
  List.map (fun cutoff -> (Option.value choice.size ~default:(benchmark.default_size cutoff), cutoff)) cutoffs

let of_benchmark choice (benchmark : Benchmark.t) =
  let ways = List.filter (fun (way : Benchmark.way) -> is_chosen choice way.contestant) benchmark.ways in
  let baselines, others = List.partition (fun (way : Benchmark.way) -> way.contestant.baseline) ways in
  let of_case (seen, configs) (size, cutoff) =
    let base =
      if List.mem size seen then [] else configs_of benchmark baselines { size; cutoff = None; domains = 1 }
    in
    let rest =
      List.concat_map (fun domains -> configs_of benchmark others { size; cutoff; domains }) choice.domains
    in
    (size :: seen, configs @ base @ rest)
  in
  snd (List.fold_left of_case ([], []) (cases choice benchmark))

let check_size choice (benchmark : Benchmark.t) =
  let least, greatest = benchmark.sizes in
  match choice.size with
  | Some size when size < least || size > greatest ->
      Error
        (Printf.sprintf "option '--size': %s takes a size from %d to %d, not %d" benchmark.name least greatest
           size)
  | _ -> Ok ()

let make choice =
  let ( let* ) = Result.bind in
  let add configs (benchmark : Benchmark.t) =
    let* configs = configs in
    let* () = check_size choice benchmark in
    match of_benchmark choice benchmark with
    | [] ->
        Error
          (Printf.sprintf "%s: nothing to run with this choice of methods, domains and cutoffs (see --list)"
             benchmark.name)
    | more -> Ok (configs @ more)
  in
  List.fold_left add (Ok []) choice.benchmarks
