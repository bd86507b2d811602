open Bigarray

type t = { comm : Communicator.t; slots : int; raw : Raw.window; remote : bool; is_free : bool Atomic.t }
type fetch = { cell : Raw.cell; pending : Engine.pending }

let slots w = w.slots

(* Then ranks access each other's memory without the owner's help. *)
let is_direct main =
  Raw.comm_size main = 1
  || Raw.is_direct_on_a_node ()
     &&
     let node = Raw.split_by_node main in
     let n = Raw.comm_size node in
     Raw.comm_free node;
     n = Raw.comm_size main

(* The youngest first. *)
let live : Raw.window list Atomic.t = Atomic.make []

let rec update f =
  let before = Atomic.get live in
  if not (Atomic.compare_and_set live before (f before)) then update f

let create comm ~slots =
  if slots < 0 then invalid_arg (Printf.sprintf "Weft_mpi.Mpi.Window.create: negative number %d" slots);
  let what = "MPI_Win_allocate" in
  Engine.check ();
  Communicator.meet ~what comm;
  let make () =
    let main = Communicator.main comm in
    (Raw.win_make slots main, not (is_direct main))
  in
  let raw, remote = Engine.call ~what make in
  update (List.cons raw);
  if remote then Engine.open_window ();
  (* Nobody accesses the memory of a rank that has not yet filled it. *)
  Communicator.meet ~what comm;
  { comm; slots; raw; remote; is_free = Atomic.make false }

let check ~who w rank slot =
  if Atomic.get w.is_free then invalid_arg (who ^ ": the window has been freed");
  Communicator.check_rank ~who w.comm rank;
  if slot < 0 || slot >= w.slots then
    invalid_arg (Printf.sprintf "%s: there is no slot %d among %d" who slot w.slots)

let what = "MPI_Rget_accumulate"

let cell operand : Raw.cell =
  let c = Array1.create int64 c_layout 2 in
  c.{0} <- Int64.of_int operand;
  c.{1} <- 0L;
  c

let old (c : Raw.cell) = Int64.to_int c.{1}

let access ~who w access rank slot operand =
  check ~who w rank slot;
  let cell = cell operand in
  Engine.perform ~what ~keep_alive:cell (fun () -> Raw.fetch cell access rank slot w.raw);
  old cell

let fetch_add w ~rank ~slot n = access ~who:"Weft_mpi.Mpi.Window.fetch_add" w Add rank slot n
let exchange w ~rank ~slot n = access ~who:"Weft_mpi.Mpi.Window.exchange" w Exchange rank slot n
let read w ~rank ~slot = access ~who:"Weft_mpi.Mpi.Window.read" w Read rank slot 0

let start_fetch_add w ~rank ~slot n =
  check ~who:"Weft_mpi.Mpi.Window.fetch_add" w rank slot;
  let cell = cell n in
  {
    cell;
    pending =
      Engine.post ~to_the_end:true ~what ~keep_alive:cell (fun () -> Raw.fetch cell Add rank slot w.raw);
  }

let finish f =
  Engine.finish f.pending;
  old f.cell

let free w =
  let what = "MPI_Win_free" in
  Engine.check ();
  if Atomic.exchange w.is_free true then invalid_arg "Weft_mpi.Mpi.Window.free: freed already";
  Communicator.meet ~what w.comm;
  if w.remote then Engine.close_window ();
  update (List.filter (( <> ) w.raw));
  Engine.call ~what (fun () -> Raw.win_free w.raw)

(* In the order in which they were made, which is the same on all ranks. *)
let free_all () =
  List.iter
    (fun raw -> Engine.call ~what:"MPI_Win_free" (fun () -> Raw.win_free raw))
    (List.rev (Atomic.exchange live []))
