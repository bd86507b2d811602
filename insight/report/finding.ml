type kind =
  | Balanced
  | No_workers
  | Too_little_parallelism
  | Too_fine_grained
  | Steals_too_dear
  | Long_block
  | Large_chunk
  | Lock_contention
  | Channel_waits
  | Blocking_calls
  | Blocked_in_fiber
  | Outlier
  | Gc_bound
  | Oversubscribed
  | Machine_busy
  | Tracer_busy
  | Events_lost

let kind_name = function
  | Balanced -> "balanced"
  | No_workers -> "no_workers"
  | Too_little_parallelism -> "too_little_parallelism"
  | Too_fine_grained -> "too_fine_grained"
  | Steals_too_dear -> "steals_too_dear"
  | Long_block -> "long_block"
  | Large_chunk -> "large_chunk"
  | Lock_contention -> "lock_contention"
  | Channel_waits -> "channel_waits"
  | Blocking_calls -> "blocking_calls"
  | Blocked_in_fiber -> "blocked_in_fiber"
  | Outlier -> "outlier"
  | Gc_bound -> "gc_bound"
  | Oversubscribed -> "oversubscribed"
  | Machine_busy -> "machine_busy"
  | Tracer_busy -> "tracer_busy"
  | Events_lost -> "events_lost"

type t = {
  kind : kind;
  share : float;
  region : string option;
  worker : string option;
  place : (int * int) option;
  numbers : (string * Yojson.Safe.t) list;
  text : string;
  advice : string;
}

let whole kind ~share ~numbers ~text ~advice =
  { kind; share; region = None; worker = None; place = None; numbers; text; advice }

let least_share = 0.05
let ratio part whole = if whole <= 0 then 0. else float_of_int part /. float_of_int whole
