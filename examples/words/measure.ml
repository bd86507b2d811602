type 'a way = { name : string; compute : unit -> 'a * float; mutable times : float list }

let way name compute = { name; compute; times = [] }

let timed f =
  let start = Unix.gettimeofday () in
  let result = f () in
  (result, Unix.gettimeofday () -. start)

let rec interleaved ~rounds ~equal ~expected ways =
  let agrees way =
    let result, seconds = way.compute () in
    way.times <- seconds :: way.times;
    equal result expected
  in
  if rounds = 0 then Ok ()
  else
    match List.find_opt (fun way -> not (agrees way)) ways with
    | Some way -> Error way.name
    | None -> interleaved ~rounds:(rounds - 1) ~equal ~expected ways

let median { times; name; _ } =
  if times = [] then invalid_arg (Printf.sprintf "Measure.median: %s was never run" name);
  List.nth (List.sort Float.compare times) ((List.length times - 1) / 2)

let rounds_for seconds =
  let runs_in budget = int_of_float (Float.min 1001. (budget /. Float.max seconds 1e-6)) in
  let rounds = min (max 7 (runs_in 0.2)) (max 1 (runs_in 2.)) in
  (rounds - 1) lor 1
