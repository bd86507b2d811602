type t = { fiber : int; times : int; time : int }
type edge = Begins | Woken_by of int | Ends

let edges (wait : Trace.span) =
  let ended =
    match (Event.int "by" wait.arguments, Event.int "woken_after_ns" wait.arguments) with
    | Some by, Some after -> (min wait.stop (wait.start + after), Woken_by by)
    | _ -> (wait.stop, Ends)
  in
  [ (wait.start, Begins); ended ]

let of_waits waits =
  let table = Hashtbl.create 16 in
  let held fiber time =
    let times, sum = Option.value (Hashtbl.find_opt table fiber) ~default:(0, 0) in
    Hashtbl.replace table fiber (times + 1, sum + time)
  in
  let follow (waiting, since) (time, edge) =
    match edge with
    | Begins -> (waiting + 1, if waiting = 0 then time else since)
    | Ends -> (waiting - 1, since)
    | Woken_by fiber ->
        held fiber (time - since);
        (waiting - 1, time)
  in
  let edges = List.concat_map edges (Array.to_list waits) in
  let in_time = List.stable_sort (fun (a, _) (b, _) -> Int.compare a b) edges in
  ignore (List.fold_left follow (0, 0) in_time : int * int);
  Hashtbl.fold (fun fiber (times, time) all -> { fiber; times; time } :: all) table []
  |> List.sort (fun a b -> compare (-a.time, a.fiber) (-b.time, b.fiber))
