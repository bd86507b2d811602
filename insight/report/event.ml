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
  | Foreign of string

let category = function
  | "job" -> Job
  | "steal" -> Steal
  | "search" -> Search
  | "park" -> Park
  | "worker" -> Worker
  | "suspend" -> Suspend
  | "lock" -> Lock
  | "channel" -> Channel
  | "loop" -> Loop
  | "batch" -> Batch
  | "blocking" -> Blocking
  | "cancel" -> Cancel
  | "region" -> Region
  | "gc" -> Gc
  | "counter" -> Counter
  | "machine" -> Machine
  | "trace" -> Trace
  | other -> Foreign other

let category_name = function
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
  | Foreign other -> other

type arguments = (string * Yojson.Safe.t) list
type phase = Begin | End | Complete of int | Instant | Async_begin | Async_end | Sample | Metadata | Ignored

type raw = {
  phase : phase;
  time : int;
  pid : int;
  tid : string;
  id : string;
  category : category;
  name : string;
  arguments : arguments;
}

let int key arguments = match List.assoc_opt key arguments with Some (`Int n) -> Some n | _ -> None
let text key arguments = match List.assoc_opt key arguments with Some (`String s) -> Some s | _ -> None
let bool key arguments = match List.assoc_opt key arguments with Some (`Bool b) -> b | _ -> false

let number : Yojson.Safe.t -> float option = function
  | `Int n -> Some (float_of_int n)
  | `Float x -> Some x
  | `Intlit s -> float_of_string_opt s
  | _ -> None
