(* A worker beside another thread of its domain. Times are made up. *)

open Weft_scheduler

let check_int = Alcotest.(check int)

(* [beside_thread f]: another thread has one turn after the other. [f turns] runs when it waits for the next
   one: [turns ()] is how many it has had. OCaml's tick may give it more. *)
let beside_thread f =
  let turns = ref 0 and over = ref false in
  let other () =
    while not !over do
      incr turns;
      Thread.yield ()
    done
  in
  let thread = Thread.create other () in
  Testing.Watchdog.until "the thread has had a turn" (fun () ->
      Thread.yield ();
      !turns > 0);
  Fun.protect
    (fun () -> f (fun () -> !turns))
    ~finally:(fun () ->
      over := true;
      Thread.join thread)

(* OCaml's tick may end the other thread's turn before it counts it: of several hundred gives, 100 in a row are
   undisturbed. *)
let gives_turns () =
  beside_thread @@ fun turns ->
  let t = Thread_turns.make () in
  let gives_100 () =
    let had = ref 0 in
    for _ = 1 to 100 do
      let before = turns () in
      Thread_turns.give t ~now:(fun () -> 0);
      if turns () > before then incr had
    done;
    if !had = 100 then Ok () else Error (Printf.sprintf "%d turns of 100" !had)
  in
  Testing.Watchdog.until_undisturbed "the other thread has 100 turns" gives_100

(* It reads the clock twice if it gives a turn, and once if it is not yet time. *)
let readings t clock =
  let n = ref 0 in
  Thread_turns.give t ~now:(fun () ->
      incr n;
      !clock);
  !n

let keeps_half () =
  let t = Thread_turns.make () and clock = ref 0 in
  for k = 1 to 100 do
    (* The others' turn takes k. *)
    let n = ref 0 in
    Thread_turns.give t ~now:(fun () ->
        incr n;
        if !n = 2 then clock := !clock + k;
        !clock);
    check_int "a turn" 2 !n;
    clock := !clock + k - 1;
    check_int "not yet" 1 (readings t clock);
    clock := !clock + 1;
    check_int "as long as the turn" 2 (readings t clock)
  done

let () =
  Alcotest.run "thread turns"
    [
      ( "a worker",
        [
          Testing.Watchdog.case "gives another thread of its domain a turn" gives_turns;
          Testing.Watchdog.case "keeps half of its domain" keeps_half;
        ] );
    ]
