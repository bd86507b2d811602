open Weft_bench_harness
open Weft_bench_suites

type t = { ways : (string * Benchmark.way) list; missing : Contestant.missing list }

(* {1 What is right} *)

let matmul_check_value n =
  let column k =
    let sum = ref 0 in
    for i = 0 to n - 1 do
      sum := !sum + ((1 + (i mod 3)) * (((7 * i) + (3 * k)) mod 11))
    done;
    !sum
  and row k =
    let sum = ref 0 in
    for j = 0 to n - 1 do
      sum := !sum + ((1 + (j mod 5)) * (((5 * k) + (2 * j)) mod 13))
    done;
    !sum
  in
  let sum = ref 0 in
  for k = 0 to n - 1 do
    sum := !sum + (column k * row k)
  done;
  !sum

let for_irregular_check_value n =
  List.fold_left ( + ) 0 (List.init n (fun k -> Fib.value (For_irregular.argument (k + 1))))

(* The benchmarks: name, whether the cutoff is a chunk size, and the result for a size. *)
let benchmarks =
  [
    ("fib", false, Fib.value);
    ("nqueens", false, Array.get Nqueens.values);
    ("for_irregular", true, for_irregular_check_value);
    ("matmul", true, matmul_check_value);
    ("reduce", true, fun n -> n * (n + 1) / 2);
  ]

(* {1 The contestants} *)

(* The process that gets the next request, and whether it is warm, new, or replaces a warm one. [inside]
   sets this. *)
let current = ref None

(* In bytes. A program that keeps more after a run is started anew: Taskflow frees no task before its end,
   and other programs would run out of memory. *)
let most_kept = 2 lsl 30

let contestant ~limit ({ name; doc; own; _ } : Programs.t) program : Contestant.t =
  let processes = Hashtbl.create 4 in
  let process domains =
    match Hashtbl.find_opt processes domains with
    | Some child when Child.is_alive child -> (child, `Warm)
    | before ->
        let child = Child.start ~name ~program ~domains ~limit in
        Hashtbl.replace processes domains child;
        Child.settle child;
        (child, if Option.is_none before then `New else `Anew)
  in
  let inside ~domains f =
    let ((child, _) as now) = process domains in
    current := Some now;
    let result = Fun.protect ~finally:(fun () -> current := None) f in
    Child.settle child;
    if Child.resident_bytes child > most_kept then Child.stop child;
    result
  in
  { name; doc; role = (if Option.is_none own then Beside else Contender); inside }

let compute benchmark size cutoff () =
  match !current with
  | None -> invalid_arg "Foreign: no run is under way"
  | Some (child, state) ->
      let ask () = Child.ask child ~benchmark ~size ~cutoff in
      (* The first round warms up new processes, but not those that were started anew after it. *)
      if state = `Anew then (
        ignore (ask () : Child.answer);
        Child.settle child);
      let { Child.result; sample } = ask () in
      Meter.tell sample;
      result

let check expected got = if String.equal expected got then Ok () else Error { Benchmark.expected; got }

(* Such a run would take minutes. *)
let is_too_long ({ greatest_fib; _ } : Programs.t) benchmark size cutoff =
  match greatest_fib with
  | Some greatest when String.equal benchmark "fib" -> size - Option.value cutoff ~default:0 > greatest
  | _ -> false

let left_out ({ name; greatest_fib; _ } : Programs.t) =
  let of_limit greatest : Contestant.missing =
    {
      name = Printf.sprintf "%s in fib" name;
      reason =
        Printf.sprintf "takes part where size minus cutoff is at most %d: a fork takes it long" greatest;
      benchmarks = [ "fib" ];
    }
  in
  Option.to_list (Option.map of_limit greatest_fib)

let way (program : Programs.t) contestant (benchmark, is_chunk, expected) : string * Benchmark.way =
  let work ({ size; cutoff; domains } : Benchmark.params) =
    let cannot_chunk = is_chunk && Option.is_some cutoff && not program.chunks in
    if cannot_chunk || domains < program.least_domains || is_too_long program benchmark size cutoff then None
    else
      Some
        (Benchmark.Work
           {
             prepare = Fun.id;
             compute = compute benchmark size cutoff;
             check = (fun got -> check (string_of_int (expected size)) got);
             forks =
               (if String.equal benchmark "fib" && Option.is_none cutoff && Option.is_some program.own then
                  Some (Fib.forks size)
                else None);
             figures = Benchmark.no_figures;
           })
  in
  (benchmark, { contestant; work })

let stop_all = Child.stop_all

let make ?(limit = 600.) ~folder programs =
  let add { ways; missing } (program : Programs.t) =
    match Programs.find ~folder program with
    | Ok file ->
        let contestant = contestant ~limit program file in
        { ways = ways @ List.map (way program contestant) benchmarks; missing = missing @ left_out program }
    | Error reason ->
        let benchmarks = List.map (fun (name, _, _) -> name) benchmarks in
        { ways; missing = missing @ [ { name = program.name; reason; benchmarks } ] }
  in
  List.fold_left add { ways = []; missing = [] } programs
