(** Helpers that the tests of the core share. *)

module Alcotest = Testing.Checks.Alcotest
module B = Weft_batch.Make (Subject)
open Subject

exception Broken

let sizes = Testing.Effort.some ~quick:[ 1; 3 ] [ 1; 2; 3; 8 ]
let check = Testing.Checks.check
let check_int = Testing.Checks.check_int
let case name test = Testing.Watchdog.case name test
let on_each_size test = List.iter (fun domains -> Weft.run ~domains test) sizes

let rec each lo hi f =
  if hi - lo = 1 then f lo
  else if hi > lo then begin
    let mid = (lo + hi) / 2 in
    ignore (Weft.par (fun () -> each lo mid f) (fun () -> each mid hi f))
  end

(* Long operations, so that others arrive meanwhile, on one processor too. *)
let slow b = B.exec b (Call (fun () -> Weft.yield ()))
let meet b n = each 0 n (fun i -> if i mod 5 = 0 then slow b else ignore (B.exec b (Add i) : int))

(* Lets other fibers run. A fiber that was about to do something has probably done it; verdicts are the same if
   not. *)
let yield_often () =
  for _ = 1 to 200 do
    Weft.yield ()
  done

let until_undisturbed = Testing.Watchdog.until_undisturbed

(* Waits until so many fibers of a pool have been suspended. *)
let have_suspended p n =
  Testing.Watchdog.until (Printf.sprintf "%d fibers have been suspended" n) (fun () ->
      Weft.Stats.((total (pool p)).suspensions) >= n)

let refused what f =
  match f () with _ -> Alcotest.failf "%s: not refused" what | exception Weft_batch.Reentrant _ -> ()

(* [held_by_a_thread b ~start f] calls [f let_go], where [let_go ()] ends the call with which a thread, by
   [start], holds [b] meanwhile. *)
let held_by_a_thread b ~start f =
  let held = Atomic.make false and go_on = Atomic.make false in
  let hold () =
    Atomic.set held true;
    Testing.Watchdog.until "it may go on" (fun () -> Atomic.get go_on)
  in
  start (fun () -> B.exec b (Call hold));
  Testing.Watchdog.until "it is held" (fun () -> Atomic.get held);
  f (fun () -> Atomic.set go_on true)

(* The same, by a thread of its own, which [let_go] waits for. *)
let held b f =
  let thread = ref None in
  held_by_a_thread b
    ~start:(fun call -> thread := Some (Thread.create call ()))
    (fun let_go ->
      f (fun () ->
          let_go ();
          Option.iter Thread.join !thread))
