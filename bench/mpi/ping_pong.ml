(* Messages there and back between ranks 0 and 1, and allreduce, in microseconds, of Bigarrays; beside ping_pong.c in
   the same run of bench/mpi/run. *)

open Weft_mpi
open Bigarray

let timed c rounds f =
  Mpi.barrier c;
  let before = Weft.now () in
  for _ = 1 to rounds do
    f ()
  done;
  (Weft.now () -. before) /. float rounds *. 1e6

let exchange c a () =
  let send dest = Mpi.send c ~dest a and recv source = ignore (Mpi.recv c ~source a : Mpi.status) in
  match Mpi.Comm.rank c with
  | 0 ->
      send 1;
      recv 1
  | 1 ->
      recv 0;
      send 0
  | _ -> ()

let show w what bytes us = if rank w = 0 then Printf.printf "weft  %s %8d bytes %10.2f us\n%!" what bytes us

let measure w what bytes rounds f =
  ignore (timed (comm w) (rounds / 10) f : float);
  show w what bytes (timed (comm w) rounds f)

let ping_pong w (bytes, rounds) =
  let a = Array1.create char c_layout bytes in
  Array1.fill a '\000';
  measure w "ping-pong" bytes rounds (exchange (comm w) a)

let all_reduce w (length, rounds) =
  let zeros () = Array1.init float64 c_layout length (fun _ -> 0.) in
  let a = zeros () and b = zeros () in
  measure w "allreduce" (8 * length) rounds (fun () -> Mpi.all_reduce (comm w) Sum a b)

let () =
  run (fun w ->
      List.iter (ping_pong w) [ (8, 20_000); (1 lsl 20, 500) ];
      List.iter (all_reduce w) [ (1, 20_000); (1 lsl 20, 50) ])
