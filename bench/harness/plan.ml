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
  Printf.sprintf "%s, %s, %d domain%s"
    (Benchmark.case ~name:benchmark.name ~grain:benchmark.grain ~size:params.size params.cutoff)
    contestant.name params.domains
    (if params.domains = 1 then "" else "s")

let is_chosen choice (contestant : Contestant.t) =
  match choice.methods with None -> true | Some methods -> List.exists (Contestant.equal contestant) methods

let configs_of benchmark ways params =
  List.filter_map
    (fun ({ contestant; work } : Benchmark.way) ->
      Option.map (fun work -> { benchmark; contestant; params; work }) (work params))
    ways

(* A benchmark without a cutoff takes part in the default case of a choice for many. *)
let cutoffs choice (benchmark : Benchmark.t) =
  match (choice.cutoffs, benchmark.grain) with
  | None, _ -> benchmark.default_cutoffs
  | Some cutoffs, (Cutoff _ | Chunk _) -> cutoffs
  | Some cutoffs, Fixed -> List.filter Option.is_none cutoffs

(* The cases of a benchmark are its sizes and cutoffs. Two cases may have the same size; the plain programs,
   which know no cutoff, come with the first of them only. *)
let cases choice (benchmark : Benchmark.t) =
  let cutoffs = cutoffs choice benchmark in
  List.map (fun cutoff -> (Option.value choice.size ~default:(benchmark.default_size cutoff), cutoff)) cutoffs

let of_benchmark choice (benchmark : Benchmark.t) =
  let ways = List.filter (fun (way : Benchmark.way) -> is_chosen choice way.contestant) benchmark.ways in
  let is_plain (way : Benchmark.way) = Contestant.is_plain way.contestant.role in
  let plain_ones, others = List.partition is_plain ways in
  let of_case (seen, configs) (size, cutoff) =
    let plain =
      if List.mem size seen then [] else configs_of benchmark plain_ones { size; cutoff = None; domains = 1 }
    in
    let rest =
      List.concat_map (fun domains -> configs_of benchmark others { size; cutoff; domains }) choice.domains
    in
    (size :: seen, configs @ plain @ rest)
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

let check_cutoffs choice (benchmark : Benchmark.t) =
  if cutoffs choice benchmark <> [] then Ok ()
  else
    Error
      (Printf.sprintf "option '--cutoff': %s has no cutoff; add 'default', or leave it out" benchmark.name)

let make choice =
  let ( let* ) = Result.bind in
  let add configs (benchmark : Benchmark.t) =
    let* configs = configs in
    let* () = check_size choice benchmark in
    let* () = check_cutoffs choice benchmark in
    match of_benchmark choice benchmark with
    | [] ->
        Error
          (Printf.sprintf "%s: nothing to run with this choice of methods, domains and cutoffs (see --list)"
             benchmark.name)
    | more -> Ok (configs @ more)
  in
  List.fold_left add (Ok []) choice.benchmarks
