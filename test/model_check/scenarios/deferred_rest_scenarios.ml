open Join_scenarios

let finish = 2

(* In stretches of one index each. *)
let loop notes ~fails () =
  let ran i =
    Notes.add notes (string_of_int i);
    if fails = i then raise Exit
  in
  let run first =
    for i = first to finish do
      ran i
    done
  in
  let rest = Deferred_rest.make (Deque_memory.current ()) () 0 ~start:0 ~until:0 ~finish run in
  let rec stretches i =
    ran i;
    let next = Deferred_rest.claim rest 1 in
    if i < next then stretches next else Deferred_rest.join rest
  in
  try
    Deferred_rest.offer rest;
    stretches 0
  with exn -> Deferred_rest.failed rest exn

let all : Scenario.t list =
  [
    ( scenario "a deferred rest and a thief"
        ~outcomes:[ "0: owner, 1: P, 2: P"; "0: owner, 1: owner, 2: P"; "0: owner, 1: owner, 2: owner" ]
        ~workers:2
    @@ fun crew notes ->
      fiber crew notes (loop notes ~fails:(-1)) (Ok ());
      thieves crew [ "P" ];
      fun () -> places notes [ "0"; "1"; "2" ] );
    ( scenario "a stretch that fails, and a thief of the rest"
        ~outcomes:[ "1: P, 2: nobody"; "1: owner, 2: P"; "1: owner, 2: nobody" ]
        ~workers:2
    @@ fun crew notes ->
      fiber crew notes (loop notes ~fails:1) (Error Exit);
      thieves crew [ "P" ];
      fun () -> places notes [ "1" ] ^ ", " ^ if_at_all notes "2" );
  ]
