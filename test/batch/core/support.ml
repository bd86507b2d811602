(** What the tests of the core have in common. *)

module B = Weft_batch.Make (Subject)
open Subject

exception Broken

let sizes = [ 1; 2; 3; 8 ]

let check_int what expected got =
  if expected <> got then Alcotest.failf "%s: expected %d, got %d" what expected got

let check what holds = if not holds then Alcotest.fail what

(* Everything may hang: so a watchdog. *)
let case name test =
  let limited () =
    let finished = Atomic.make false in
    let watch () =
      let start = Unix.gettimeofday () in
      while not (Atomic.get finished) do
        Thread.delay 0.02;
        if Unix.gettimeofday () -. start > 60. then begin
          Printf.eprintf "hangs: %s\n%!" name;
          Unix.kill (Unix.getpid ()) Sys.sigabrt
        end
      done
    in
    let watchdog = Thread.create watch () in
    Fun.protect test ~finally:(fun () ->
        Atomic.set finished true;
        Thread.join watchdog)
  in
  Alcotest.test_case name `Quick limited

let on_each_size test = List.iter (fun domains -> Weft.run ~domains test) sizes

let rec each lo hi f =
  if hi - lo = 1 then f lo
  else if hi > lo then begin
    let mid = (lo + hi) / 2 in
    ignore (Weft.par (fun () -> each lo mid f) (fun () -> each mid hi f))
  end

(* Long operations, so that others come meanwhile: on one processor too. *)
let slow b = B.exec b (Call (fun () -> Weft.yield ()))
let meet b n = each 0 n (fun i -> if i mod 5 = 0 then slow b else ignore (B.exec b (Add i) : int))

(* Whoever is about to do something has done it then. *)
let yield_often () =
  for _ = 1 to 200 do
    Weft.yield ()
  done

let refused what f =
  match f () with _ -> Alcotest.failf "%s: not refused" what | exception Weft_batch.Reentrant _ -> ()
