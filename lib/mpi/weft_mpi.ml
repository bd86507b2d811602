module Mpi = Mpi
module Distributed_array = Distributed_array

type world = World.t

exception Elsewhere = Failures.Elsewhere

(* --- the job --- *)

let rank = World.rank
let size = World.size
let comm = World.user
let of_comm c = World.make c
let free = World.free
let the_world = lazy (World.make ~is_of_job:true (Communicator.world ()))

(* The calls of {!run} that have not returned: [exit] is called in one of them, if it is called then. *)
let running = Atomic.make 0

let end_job_at_exit w () =
  if Atomic.get running > 0 && World.size w > 1 then begin
    Say.line "rank %d calls exit in Weft_mpi.run, which ends the job" (World.rank w);
    flush_all ();
    Mpi.abort 2
  end

let watch_exit = lazy (at_exit (end_job_at_exit (Lazy.force the_world)))

let run ?domains f =
  if not (Current_worker.is_outside ()) then invalid_arg "Weft_mpi.run: it is called in a task of a pool";
  Mpi.init ();
  let w = Lazy.force the_world in
  Lazy.force watch_exit;
  Job_end.begin_run ();
  Atomic.incr running;
  match Weft.run ?domains (fun () -> f w) with
  | v ->
      Atomic.decr running;
      v
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      Atomic.decr running;
      Job_end.fail exn backtrace

(* --- loops and arrays --- *)

let parallel_for = Rank_loops.parallel_for
let parallel_for_reduce = Rank_loops.parallel_for_reduce
let parallel_find_first = Rank_loops.parallel_find_first
let init w n f = Rank_loops.init ~who:"Weft_mpi.init" w n f
let map = Rank_arrays.map
let mapi = Rank_arrays.mapi
let group_by = Rank_arrays.group_by
let scan = Rank_arrays.scan
let sort = Rank_arrays.sort

(* --- values --- *)

let broadcast ?(root = 0) w v =
  World.exclusive ~who:"Weft_mpi.broadcast" w @@ fun () ->
  Communicator.check_rank ~who:"Weft_mpi.broadcast" (World.own w) root;
  if World.size w = 1 then v else Exchanges.broadcast w ~root (fun () -> v)

let gather w v =
  World.exclusive ~who:"Weft_mpi.gather" w @@ fun () ->
  if World.size w = 1 then [| v |] else Exchanges.all_gather w (fun () -> v)

let barrier w =
  World.exclusive ~who:"Weft_mpi.barrier" w @@ fun () ->
  Collectives.barrier ~even_if_cancelled:true (World.own w)
