type category =
  | Job
  | Steal
  | Search
  | Park
  | Worker
  | Suspend
  | Lock
  | Channel
  | Loop
  | Batch
  | Blocking
  | Cancel
  | Region
  | Gc
  | Counter
  | Machine
  | Trace

type argument = Int of int | Text of string | Bool of bool
type shape = Complete of int | Instant | Begin of int | End of int | Counter of int

type t = {
  time : int;
  track : int;
  category : category;
  name : string;
  shape : shape;
  arguments : (string * argument) list;
}

let category_name : category -> string = function
  | Job -> "job"
  | Steal -> "steal"
  | Search -> "search"
  | Park -> "park"
  | Worker -> "worker"
  | Suspend -> "suspend"
  | Lock -> "lock"
  | Channel -> "channel"
  | Loop -> "loop"
  | Batch -> "batch"
  | Blocking -> "blocking"
  | Cancel -> "cancel"
  | Region -> "region"
  | Gc -> "gc"
  | Counter -> "counter"
  | Machine -> "machine"
  | Trace -> "trace"

let categories : category list =
  [
    Job;
    Steal;
    Search;
    Park;
    Worker;
    Suspend;
    Lock;
    Channel;
    Loop;
    Batch;
    Blocking;
    Cancel;
    Region;
    Gc;
    Counter;
    Machine;
    Trace;
  ]

type lost = { words : int; events : int }
type outcome = Exited of int | Killed of int | Running
type worker = { number : int; index : int; pool : string option }

type about = {
  program : string;
  arguments : string list;
  pid : int;
  by : [ `Trace | `Attach ];
  outcome : outcome;
  began : int;
  began_at : float;
  ended : int;
  events : int;
  unmatched : int;
  read : (int * int) list;
  lost : (int * lost) list;
  workers : worker list;
  tracks : (int * string) list;
  weft : string;
}

let lost_in_all about =
  List.fold_left
    (fun sum (_, l) -> { words = sum.words + l.words; events = sum.events + l.events })
    { words = 0; events = 0 } about.lost
