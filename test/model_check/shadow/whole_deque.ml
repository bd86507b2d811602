let in_use = ref false

let use yes =
  in_use := yes;
  Process.on_restart (fun () -> in_use := false)

let used () = !in_use

(* Nothing can interrupt a process between a step on [changes] and its next step. *)
type 'a t = { changes : int Cell.t; mutable elements : 'a list (* oldest first *) }

let create () = { changes = Cell.make "deque" 0; elements = [] }
let change d = ignore (Cell.fetch_and_add d.changes 1)

let push d x =
  change d;
  d.elements <- d.elements @ [ x ]

let size d =
  ignore (Cell.get d.changes);
  List.length d.elements

let pop d ~nil =
  if size d = 0 then nil
  else begin
    change d;
    match List.rev d.elements with
    | [] -> nil
    | youngest :: others ->
        d.elements <- List.rev others;
        youngest
  end

let steal d ~nil =
  ignore (Cell.get d.changes);
  match d.elements with
  | [] -> nil
  | seen :: _ -> (
      change d;
      match d.elements with
      | oldest :: others when oldest == seen ->
          d.elements <- others;
          oldest
      | _ -> nil)
