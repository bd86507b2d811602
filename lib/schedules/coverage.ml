type t = { since : float; mutable runs : int; pairs : (string * string, unit) Hashtbl.t }

let start () = { since = Unix.gettimeofday (); runs = 0; pairs = Hashtbl.create 64 }

let add t (run : Search.run) =
  t.runs <- t.runs + 1;
  let add_pairs record = List.iter (fun pair -> Hashtbl.replace t.pairs pair ()) (Record.pairs record) in
  Option.iter add_pairs run.record

let runs t = t.runs
let pairs t = Hashtbl.length t.pairs
let per_second t = float_of_int t.runs /. Float.max (Unix.gettimeofday () -. t.since) 1e-6
