type argument = Int of int | Text of string | Bool of bool

type shape =
  | Complete of int
  | Instant
  | Begin of int
  | End of int
  | Counter of int
  | Flow_out of int
  | Flow_in of int

type t = {
  time : int;
  track : int;
  category : Category.t;
  name : string;
  shape : shape;
  arguments : (string * argument) list;
}

type lost = { words : int; events : int }
type outcome = Exited of int | Killed of int | Ended | Running
type worker = { number : int; index : int; pool : string option }
type fiber = { fiber : int; parent : int; name : string; at : string option }

type about = {
  program : string;
  arguments : string list;
  pid : int;
  by : [ `Trace | `Attach | `Rings ];
  outcome : outcome;
  began : int;
  began_at : float;
  ended : int;
  last : float option;
  events : int;
  unmatched : int;
  read : (int * int) list;
  lost : (int * lost) list;
  damaged : string option;
  tracer_cpu : int option;
  workers : worker list;
  fibers : fiber list;
  tracks : (int * string) list;
  weft : string;
}

let lost_in_all about =
  List.fold_left
    (fun sum (_, l) -> { words = sum.words + l.words; events = sum.events + l.events })
    { words = 0; events = 0 } about.lost
