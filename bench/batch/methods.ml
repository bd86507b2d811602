open Weft_bench_harness
open Weft_bench_contestants

let contender name doc : Contestant.t = { Weft_pool.par with name; doc }

let coarse =
  contender "coarse" "a sequential structure behind OCaml's Mutex, one task of Weft.par per operation"

let unlocked =
  contender "unlocked"
    "the sequential structure itself, one task of Weft.par per operation; on one domain only"

let stdlib structure : Contestant.t =
  {
    Plain.contestant with
    name = "stdlib_" ^ structure;
    doc = Printf.sprintf "the plain OCaml program with the %s of the standard library" structure;
    role = Beside;
  }

let stdlib_map = stdlib "map"
let stdlib_hashtbl = stdlib "hashtbl"
let lockfree = contender "lockfree" "a structure without locks, one task of Weft.par per operation"
let batched = contender "batched" "a structure of Weft_batch, one task of Weft.par per operation"

(* --- one fiber --- *)

let piece = 1_024
let of_one name doc = contender name ("a structure of Weft_batch, all operations by one fiber: " ^ doc)
let exec_many = of_one "exec_many" "1,024 at a time, as a batch for each kind of operation"
let submit = of_one "submit" "1,024 are submitted, then all awaited"

let[@inline never] in_order n f =
  for i = 0 to n - 1 do
    f i
  done

let rec tree f first last =
  if first = last then f first
  else
    let middle = first + ((last - first) / 2) in
    ignore (Weft.par (fun () -> tree f first middle) (fun () -> tree f (middle + 1) last) : unit * unit)

let[@inline never] tasks n f = if n > 0 then tree f 0 (n - 1)

(* {1 Words} *)

type words = float

let words () =
  let gc = Gc.quick_stat () in
  gc.minor_words +. gc.major_words -. gc.promoted_words

let words_since before = words () -. before

(* From OCaml 5.4 on, the minor words of a domain that has ended are no longer counted. *)
let counts_last = Scanf.sscanf Sys.ocaml_version "%d.%d" (fun major minor -> (major, minor) < (5, 4))

(* {1 Figures} *)

let figures ~seconds ~words n : Figure.t list =
  if n = 0 then []
  else
    let n = float_of_int n in
    { Figure.title = "k ops/s"; value = n /. seconds /. 1e3 }
    :: (if counts_last then [ { title = "words/op"; value = words /. n } ] else [])

let statistics (stats : Weft_batch.Stats.t) : Figure.t list =
  if stats.in_place + stats.batched = 0 then []
  else
    let size k count =
      let from = Float.ldexp 1. k in
      let bucket = { Figure.what = "batch"; from; below = 2. *. from; unit_ = "operations" } in
      if count = 0 then None else Some (Figure.bucket bucket count)
    in
    [
      { Figure.title = "batches"; value = float_of_int stats.batches };
      { title = "parallel"; value = float_of_int stats.parallel };
      { title = "mean batch"; value = (if stats.batches = 0 then 0. else Weft_batch.Stats.mean_batch stats) };
      { title = "% in place"; value = 100. *. Weft_batch.Stats.in_place_share stats };
    ]
    @ Option.to_list (Option.map (fun s -> { Figure.title = "ns one by one"; value = s *. 1e9 }) stats.alone)
    @ Option.to_list (Option.map (fun s -> { Figure.title = "ns in batch"; value = s *. 1e9 }) stats.together)
    @ List.filter_map Fun.id (List.mapi size (Array.to_list stats.sizes))
