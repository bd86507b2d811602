type t = {
  main : Raw.comm;
  side : Raw.comm;
  rank : int;
  size : int;
  tags : int Atomic.t;
  is_free : bool Atomic.t;
}

let live c = if Atomic.get c.is_free then invalid_arg "Weft_mpi.Mpi: the communicator has been freed" else c
let main c = (live c).main
let side c = (live c).side
let rank c = c.rank
let size c = c.size
let next_tag c = Atomic.fetch_and_add c.tags 1 land 0x7fff

let check_rank ~who c rank =
  if rank < 0 || rank >= c.size then
    invalid_arg (Printf.sprintf "%s: there is no rank %d among %d" who rank c.size)

let meet ~what c =
  let comm = main c in
  Engine.perform_to_the_end ~what ~keep_alive:() (fun () -> Raw.ibarrier comm)

let duplicate_of comm =
  let cell = Bigarray.(Array1.create int64 c_layout 1) in
  let what = "MPI_Comm_idup" in
  Engine.perform_to_the_end ~what ~keep_alive:cell (fun () -> Raw.idup cell comm);
  Raw.comm_in cell

let make main side rank size = { main; side; rank; size; tags = Atomic.make 0; is_free = Atomic.make false }

let of_raw main =
  let side = duplicate_of main in
  let rank, size = Engine.call ~what:"MPI_Comm_rank" (fun () -> (Raw.rank main, Raw.comm_size main)) in
  make main side rank size

let split_by ~what c split =
  Engine.check ();
  meet ~what c;
  let raw = Engine.call ~what (fun () -> split (main c)) in
  if raw = Raw.no_comm then None else Some (of_raw raw)

let the_world = Atomic.make None

let make_world () =
  let c = of_raw (Raw.world ()) in
  Atomic.set the_world (Some c);
  c

let world () =
  match Atomic.get the_world with
  | Some c -> c
  | None -> invalid_arg "Weft_mpi.Mpi: call Weft_mpi.run or Weft_mpi.Mpi.init first"

let duplicate c =
  let comm = main c in
  Engine.check ();
  let main = duplicate_of comm in
  make main (duplicate_of main) c.rank c.size

let try_split c ?key color =
  (match color with
  | Some n when n < 0 -> invalid_arg (Printf.sprintf "Weft_mpi.Mpi.Comm.split: negative color %d" n)
  | Some _ | None -> ());
  let key = Option.value key ~default:c.rank and color = Option.value color ~default:(-1) in
  split_by ~what:"MPI_Comm_split" c (fun comm -> Raw.split comm color key)

let split c ?key color = Option.get (try_split c ?key (Some color))
let split_by_node c = Option.get (split_by ~what:"MPI_Comm_split_type" c Raw.split_by_node)
let is_world c = match Atomic.get the_world with Some w -> w == c | None -> false

let free c =
  if is_world c then invalid_arg "Weft_mpi.Mpi.Comm.free: the world";
  Engine.check ();
  meet ~what:"MPI_Comm_free" c;
  if Atomic.exchange c.is_free true then invalid_arg "Weft_mpi.Mpi.Comm.free: freed already";
  Engine.call ~what:"MPI_Comm_free" (fun () ->
      Raw.comm_free c.side;
      Raw.comm_free c.main)
