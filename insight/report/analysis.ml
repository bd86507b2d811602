type t = {
  file : string;
  trace : Trace.t;
  workers : Workers.t array;
  machine : Activity.machine option;
  process : Activity.process option;
  steals : (string * string * int) list;
  forks : int option;
  losses : Losses.t;
  waits : Activity.waits list;
  batches : Activity.batches list;
  collections : Collections.t;
  delays : Delays.row list;
  slowest : (Delays.group * Delays.slow list) list;
  diagnoses : Finding.t list;
}

let slow_ones = 20

let of_trace ~file trace =
  let losses = Losses.of_trace trace in
  let trace = Losses.cut losses trace in
  let workers = Workers.of_trace trace ~losses in
  let waits = Activity.waits trace and collections = Collections.of_trace trace in
  {
    file;
    trace;
    workers;
    machine = Activity.machine trace;
    process = Activity.process trace;
    steals = Activity.steals trace;
    forks = Activity.forks trace;
    losses;
    waits;
    batches = Activity.batches trace;
    collections;
    delays = Delays.table trace;
    slowest = List.map (fun group -> (group, Delays.slowest slow_ones trace group)) Delays.groups;
    diagnoses = Diagnosis.diagnose trace workers ~losses ~waits ~collections;
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
