type t = (int, Trace.span array) Hashtbl.t (* the waits of each fiber, in the order of time *)

let of_trace (trace : Trace.t) =
  let table = Hashtbl.create 64 in
  let note (s : Trace.span) =
    match (s.category, Event.int "fiber" s.arguments) with
    | (Lock | Channel | Suspend), Some fiber -> (
        match Hashtbl.find_opt table fiber with
        | Some waits -> Dynarray.add_last waits s
        | None -> Hashtbl.add table fiber (Dynarray.of_list [ s ]))
    | _ -> ()
  in
  Array.iter note trace.apart;
  Hashtbl.of_seq (Seq.map (fun (fiber, waits) -> (fiber, Dynarray.to_array waits)) (Hashtbl.to_seq table))

(* The last wait of the fiber that ended by then. Waits of one fiber come one after the other. *)
let last_before (t : t) fiber time =
  let waits : Trace.span array = Option.value (Hashtbl.find_opt t fiber) ~default:[||] in
  let rec search low high =
    if low >= high then low
    else
      let middle = (low + high) / 2 in
      if waits.(middle).stop <= time then search (middle + 1) high else search low middle
  in
  match search 0 (Array.length waits) with 0 -> None | n -> Some waits.(n - 1)

type root = { fiber : int; time : int; length : int }

let woken (wait : Trace.span) =
  match (Event.int "by" wait.arguments, Event.int "woken_after_ns" wait.arguments) with
  | Some by, Some after -> Some (by, min wait.stop (wait.start + after))
  | _ -> None

let most_steps = 1_000_000

let root t wait =
  let ran = Hashtbl.create 16 in
  let rec follow steps fiber time =
    match if steps = 0 then None else last_before t fiber time with
    | None -> time
    | Some before -> (
        Hashtbl.replace ran fiber (time - before.stop + Option.value (Hashtbl.find_opt ran fiber) ~default:0);
        match woken before with Some (by, at) -> follow (steps - 1) by at | None -> before.stop)
  in
  Option.bind (woken wait) @@ fun (by, at) ->
  let began = follow most_steps by at in
  let most =
    Hashtbl.fold
      (fun fiber time best ->
        match best with
        | Some (other, longest) when (longest, -other) >= (time, -fiber) -> best
        | _ -> Some (fiber, time))
      ran None
  in
  Option.map (fun (fiber, time) -> { fiber; time; length = at - began }) most
