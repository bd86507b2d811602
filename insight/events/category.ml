type t =
  | Job
  | Steal
  | Search
  | Park
  | Wake
  | Worker
  | Suspend
  | Lock
  | Channel
  | Loop
  | Batch
  | Blocking
  | Blocked
  | Cancel
  | Region
  | Gc
  | Counter
  | Machine
  | Trace
  | Foreign of string

let own =
  [
    Job;
    Steal;
    Search;
    Park;
    Wake;
    Worker;
    Suspend;
    Lock;
    Channel;
    Loop;
    Batch;
    Blocking;
    Blocked;
    Cancel;
    Region;
    Gc;
    Counter;
    Machine;
    Trace;
  ]

let name = function
  | Job -> "job"
  | Steal -> "steal"
  | Search -> "search"
  | Park -> "park"
  | Wake -> "wake"
  | Worker -> "worker"
  | Suspend -> "suspend"
  | Lock -> "lock"
  | Channel -> "channel"
  | Loop -> "loop"
  | Batch -> "batch"
  | Blocking -> "blocking"
  | Blocked -> "blocked"
  | Cancel -> "cancel"
  | Region -> "region"
  | Gc -> "gc"
  | Counter -> "counter"
  | Machine -> "machine"
  | Trace -> "trace"
  | Foreign other -> other

let of_name = function
  | "job" -> Job
  | "steal" -> Steal
  | "search" -> Search
  | "park" -> Park
  | "wake" -> Wake
  | "worker" -> Worker
  | "suspend" -> Suspend
  | "lock" -> Lock
  | "channel" -> Channel
  | "loop" -> Loop
  | "batch" -> Batch
  | "blocking" -> Blocking
  | "blocked" -> Blocked
  | "cancel" -> Cancel
  | "region" -> Region
  | "gc" -> Gc
  | "counter" -> Counter
  | "machine" -> Machine
  | "trace" -> Trace
  | other -> Foreign other

let no_processor = "no processor"
