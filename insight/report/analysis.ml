type t = {
  file : string;
  trace : Trace.t;
  workers : Workers.t array;
  machine : Activity.machine option;
  steals : (string * string * int) list;
  forks : int option;
  waits : Activity.waits list;
  batches : Activity.batches list;
  collections : Activity.collections;
  delays : Delays.row list;
  slowest : (Delays.group * Delays.slow list) list;
  diagnoses : Diagnosis.t list;
}

let slow_ones = 20

let of_trace ~file trace =
  let workers = Workers.of_trace trace in
  let waits = Activity.waits trace in
  {
    file;
    trace;
    workers;
    machine = Activity.machine trace;
    steals = Activity.steals trace;
    forks = Activity.forks trace;
    waits;
    batches = Activity.batches trace;
    collections = Activity.collections trace;
    delays = Delays.table trace;
    slowest = List.map (fun group -> (group, Delays.slowest slow_ones trace group)) Delays.groups;
    diagnoses = Diagnosis.diagnose trace workers ~waits;
  }

let title t =
  match List.assoc_opt "program" t.trace.weft with
  | Some (`String program) ->
      let arguments =
        match List.assoc_opt "arguments" t.trace.weft with
        | Some (`List all) -> List.filter_map (function `String s -> Some s | _ -> None) all
        | _ -> []
      in
      String.concat " " (Filename.basename program :: arguments)
  | _ -> Filename.basename t.file
