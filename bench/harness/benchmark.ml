type params = { size : int; cutoff : int option; domains : int }
type wrong = { expected : string; got : string }

type work =
  | Work : {
      prepare : unit -> 'input;
      compute : 'input -> 'result;
      check : 'result -> (unit, wrong) result;
      forks : int option;
      figures : seconds:float -> 'result -> Figure.t list;
    }
      -> work

type way = { contestant : Contestant.t; work : params -> work option }
type grain = Cutoff of string | Chunk of string | Fixed

type t = {
  name : string;
  group : string option;
  doc : string;
  size_doc : string;
  grain : grain;
  sizes : int * int;
  default_cutoffs : int option list;
  default_size : int option -> int;
  more_sizes : int list;
  quick_size : int option -> int;
  sweep_cutoffs : int list;
  sweep_sizes : int list;
  paced : bool;
  ways : way list;
}

(* Powers of four suffice: a loop is no faster with chunks twice as long. *)
let chunks = [ 1; 4; 16; 64; 256; 1_024; 4_096; 16_384; 65_536 ]
let tenths size = List.filter (fun size -> size > 0) [ size / 100; size / 10; size ]
let no_figures ~seconds:_ _ = []

let int_check ~expected n =
  if n = expected then Ok () else Error { expected = string_of_int expected; got = string_of_int n }

let case ~name ~grain ~size cutoff =
  Printf.sprintf "%s %d%s" name size
    (match (grain, cutoff) with
    | Fixed, None -> ""
    | Cutoff _, None -> ", no cutoff"
    | Chunk _, None -> ", default"
    | Chunk _, Some c -> Printf.sprintf ", chunk %d" c
    | (Cutoff _ | Fixed), Some c -> Printf.sprintf ", cutoff %d" c)
