open Benchmark

type sweep = By_cutoff | By_size

type choice = {
  benchmarks : Benchmark.t list;
  leave_out : bool;
  methods : Contestant.t list option;
  domains : int list;
  cutoffs : int option list option;
  sizes : int list option;
  sweep : sweep list;
  quick : bool;
}

let of_all benchmarks =
  {
    benchmarks;
    leave_out = false;
    methods = None;
    domains = [ 1; 2 ];
    cutoffs = None;
    sizes = None;
    sweep = [];
    quick = false;
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

(* {1 Cases} *)

let rec unique = function [] -> [] | x :: rest -> x :: unique (List.filter (fun y -> y <> x) rest)
let sweeps choice what = List.mem what choice.sweep

(* A benchmark without a cutoff takes part in the default case of a choice for many. *)
let cutoffs choice (benchmark : Benchmark.t) =
  match (choice.cutoffs, benchmark.grain) with
  | None, Fixed -> if sweeps choice By_cutoff then [] else benchmark.default_cutoffs
  | None, (Cutoff _ | Chunk _) ->
      if sweeps choice By_cutoff then None :: List.map Option.some benchmark.sweep_cutoffs
      else benchmark.default_cutoffs
  | Some cutoffs, (Cutoff _ | Chunk _) -> cutoffs
  | Some cutoffs, Fixed -> List.filter Option.is_none cutoffs

(* The size must be the same with all cutoffs, so that one sees what the cutoff does. *)
let sizes choice (benchmark : Benchmark.t) cutoff =
  let cutoff = if sweeps choice By_cutoff then None else cutoff in
  if choice.quick then [ benchmark.quick_size cutoff ]
  else if sweeps choice By_cutoff then [ benchmark.default_size cutoff ]
  else benchmark.default_size cutoff :: benchmark.more_sizes

(* A chunk that is longer than the loop is the same as one of the whole loop. *)
let makes_sense choice (benchmark : Benchmark.t) (size, cutoff) =
  match (benchmark.grain, cutoff) with
  | Chunk _, Some chunk -> chunk <= size || not (sweeps choice By_cutoff)
  | _ -> true

(* The cases of a benchmark are its sizes and cutoffs. Two cases may have the same size. The plain programs
   have no cutoff, so they come with the first of them only. *)
let cases choice (benchmark : Benchmark.t) =
  let cutoffs = cutoffs choice benchmark in
  let with_sizes sizes =
    List.concat_map (fun size -> List.map (fun cutoff -> (size, cutoff)) cutoffs) sizes
  in
  let all =
    match choice.sizes with
    | Some sizes -> with_sizes sizes
    | None when sweeps choice By_size -> with_sizes benchmark.sweep_sizes
    | None ->
        List.concat_map
          (fun cutoff -> List.map (fun size -> (size, cutoff)) (sizes choice benchmark cutoff))
          cutoffs
  in
  List.filter (makes_sense choice benchmark) (unique all)

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

(* {1 The plan} *)

let check_sizes choice (benchmark : Benchmark.t) =
  let least, greatest = benchmark.sizes in
  match
    List.find_opt (fun size -> size < least || size > greatest) (Option.value choice.sizes ~default:[])
  with
  | Some size ->
      Error
        (Printf.sprintf "option '--size': %s takes a size from %d to %d, not %d" benchmark.name least greatest
           size)
  | None -> Ok ()

let check_cutoffs choice (benchmark : Benchmark.t) =
  if cutoffs choice benchmark <> [] then Ok ()
  else
    let what, instead =
      match choice.cutoffs with
      | Some _ -> ("--cutoff", "add 'default', or leave it out")
      | None -> ("--sweep cutoff", "leave one of the two out")
    in
    Error (Printf.sprintf "option '%s': %s has no cutoff; %s" what benchmark.name instead)

let rec make choice =
  let ( let* ) = Result.bind in
  let add configs (benchmark : Benchmark.t) =
    let* configs = configs in
    let* () = check_sizes choice benchmark in
    let* () = if choice.leave_out then Ok () else check_cutoffs choice benchmark in
    match of_benchmark choice benchmark with
    | [] when not choice.leave_out ->
        Error
          (Printf.sprintf "%s: nothing to run with this choice of methods, domains and cutoffs (see --list)"
             benchmark.name)
    | more -> Ok (List.rev_append more configs)
  in
  let* configs = List.fold_left add (Ok []) choice.benchmarks in
  match configs with
  (* The reason why the first benchmark is left out stands for all. *)
  | [] when choice.leave_out -> make { choice with leave_out = false }
  | [] -> Error "nothing to run: no benchmark is chosen"
  | _ -> Ok (List.rev configs)
