open Weft_bench_harness
open Target
open Readings

let sprintf = Printf.sprintf
let batched name = all_of [ bench name; of_method "batched" ]
let command ?(domains = "1,2") name = sprintf "weft bench %s --domains %s" name domains

(* {1 Against others} *)

(* Pairs of a benchmark's name and a word for its operations. *)
let avl = [ ("batch_avl_insert", "adds"); ("batch_avl_search", "searches") ]

let on_one_against_a_lock (name, what) =
  make
    (sprintf "AVL tree, %s, 1 domain: times faster than behind a lock" what)
    (At_least 1.) (command name ~domains:"1")
    (against (all_of [ batched name; on 1 ]) (rival "coarse") times_faster)

let on_two_against_sequential (name, what) least =
  make
    (sprintf "AVL tree, %s, 2 domains: times faster than the sequential program" what)
    (At_least least) (command name ~domains:"2")
    (against (all_of [ batched name; on 2 ]) sequential times_faster)

let on_two_against_a_lock (name, what) =
  make
    (sprintf "AVL tree, %s, 2 domains: times faster than behind a lock" what)
    (At_least 3.) (command name ~domains:"2")
    (against (all_of [ batched name; on 2 ]) (rival "coarse") times_faster)

let takes_part name (b : Benchmark.t) =
  List.exists (fun (w : Benchmark.way) -> String.equal w.contestant.name name) b.ways

let behind_a_lock =
  let with_lock = List.filter (takes_part "coarse") Weft_bench_batch.Batch_suites.all in
  List.map (fun (b : Benchmark.t) -> b.name) with_lock

let never_slower =
  make "every batched structure on 1 domain: times faster than behind a lock" (At_least 1.)
    ~speaks_of:behind_a_lock "weft bench batch batch_mixes batch_patterns --domains 1"
    (against (all_of [ one_of behind_a_lock; of_method "batched"; on 1 ]) (rival "coarse") times_faster)

let counter =
  make "a counter, any number of domains: times faster than behind a lock" (At_least 1.)
    (command "batch_counter" ~domains:"1,2,8")
    (against (batched "batch_counter") (rival "coarse") times_faster)

let datalog =
  make "Datalog, 90 % queries, 2 domains: times faster than behind a lock" (At_least 1.7)
    (command "batch_datalog" ~domains:"2")
    (against (all_of [ batched "batch_datalog"; on 2 ]) (rival "coarse") times_faster)

let skip_list =
  make "skip list, adds: times faster than Saturn's, which has no locks" (At_least 1.)
    (command "batch_skip_list_insert")
    (against (batched "batch_skip_list_insert") (rival "lockfree") times_faster)

let bulk =
  make "AVL tree, 100,000 ascending keys at once into 2,000,000, 1 domain: times faster than one by one"
    (At_least 2.)
    (command "batch_avl_bulk" ~domains:"1")
    (against (all_of [ batched "batch_avl_bulk"; on 1 ]) sequential times_faster)

(* {1 What a call costs} *)

(* The same tasks with the structure itself: the difference is the cost of batching. *)
let unlocked (row : Row.t) (other : Row.t) =
  String.equal other.method_ "unlocked" && Run.same_case row other && other.domains = 1

let lone_caller =
  make "a counter, lone caller: time of an operation above that of the sequential one" ~unit_:"ns"
    (At_most 30.)
    (command "batch_counter" ~domains:"1")
    (above per_operation (all_of [ batched "batch_counter"; on 1 ]) unlocked)

let words = figure_of "words/op"

(* The words that the pool itself allocates count too, divided by the number of operations. *)
let words_in_place =
  make "a counter, lone caller: words allocated by an operation above the sequential one" ~unit_:"words"
    (Less_than 0.1)
    (command "batch_counter" ~domains:"1")
    (above words (all_of [ batched "batch_counter"; on 1 ]) unlocked)

(* OCaml's continuation is a block of two words and its header. *)
let continuation = 3.

(* The share of the operations that do not run in place. *)
let lined_up row =
  match figure_of "% in place" row with
  | Some percent when percent < 99. -> Some (1. -. (percent /. 100.))
  | _ -> None

let words_lined_up =
  let value row base =
    match (words row, words base, lined_up row) with
    | Some own, Some least, Some share -> Some ((own -. least) /. share)
    | _ -> None
  in
  make "a counter, 2 domains: words allocated by an operation that lines up, a continuation of 3 included"
    ~unit_:"words"
    (At_most (10. +. continuation))
    (command "batch_counter")
    (pairs (all_of [ batched "batch_counter"; on 2 ]) unlocked value)

let all =
  List.map on_one_against_a_lock avl
  @ List.map2 on_two_against_sequential avl [ 1.3; 1.5 ]
  @ List.map on_two_against_a_lock avl
  @ [ never_slower; counter; lone_caller; words_in_place; words_lined_up; datalog; skip_list; bulk ]
