open Testing
module Deque = Weft_scheduler.Deque

let not_of_ours = "OCaml's own, from end to end"

let of_arrays =
  [ "of_list"; "to_list"; "of_seq"; "to_seq"; "to_seqi"; "fold_left"; "fold_right"; "fold_left_map" ]

(* Functions that do not poll, and why. *)
let except =
  [
    (not_of_ours, "Weft.Array.", "create_float" :: of_arrays);
    (not_of_ours, "Weft.Floatarray.", "create" :: "shuffle" :: List.filter (( <> ) "fold_left_map") of_arrays);
    (not_of_ours, "Weft.List.", [ "take"; "take_while"; "drop_while" ]);
    ( "the elements are taken by OCaml's own functions",
      "Weft.Seq.",
      [ "of_list"; "of_seq"; "unfold"; "of_dispenser" ] );
    ("the elements come when the sequence is used", "Weft.Seq.", [ "concat"; "concat_list" ]);
    ("one word, for bodies of loops", "Weft.Atomic_array.", [ "priority_update" ]);
    ("allocates, and no more", "Weft.Broadcast.", [ "create" ]);
    ( "never gives way, as it never waits",
      "Weft.Select.",
      [ "try_select"; "try_select_in_order"; "poll"; "poll_in_order" ] );
    ("never gives way, as it never waits", "Weft.Promise.", [ "any"; "race" ]);
    ("a look at what a scope has listed", "Weft.Scope.", [ "failures" ]);
  ]

let deque () = (Option.get (Weft_scheduler.Worker.current ())).deque

(* More requests may come at any time, but not at the end of each of so many calls. While other fibers are
   ready, what may not suspend leaves the request: so they run first. *)
let polls case =
  let rec attempt times =
    Weft.yield ();
    let call = Growth.call case 10 in
    Deque.request_preempt (deque ());
    call ();
    Table.finish ();
    (not (Deque.is_preempt_requested (deque ()))) || (times > 1 && attempt (times - 1))
  in
  attempt 100

let check (t : Table.t) () =
  Weft.run ~domains:1 @@ fun () ->
  let long = List.filter Growth.is_long t.cases in
  let silent = List.filter (fun case -> not (polls case)) long in
  let names = List.sort_uniq compare (List.map Table.function_of silent) in
  let listed = List.concat_map (fun (_, prefix, names) -> if prefix = t.prefix then names else []) except in
  let complain what = function
    | [] -> ()
    | names -> Alcotest.failf "%s %s" what (String.concat ", " (List.map (( ^ ) t.prefix) names))
  in
  complain "no poll in" (List.filter (fun name -> not (List.mem name listed)) names);
  complain "these poll:" (List.filter (fun name -> not (List.mem name names)) listed)

(* A call of a batched structure is done or not begun; only what waits for the batch gives way. *)
let is_ours (t : Table.t) = t.in_pool && String.starts_with ~prefix:"Weft." t.prefix

let tests tables =
  List.filter is_ours tables
  |> List.map (fun (t : Table.t) ->
         Watchdog.case (String.sub t.prefix 0 (String.length t.prefix - 1) ^ ": what is long polls") (check t))
