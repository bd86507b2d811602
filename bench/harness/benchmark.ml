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
  paced : bool;
  ways : way list;
}

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
