open Bigarray

type op = Raw.op = Sum | Product | Min | Max | Bits_and | Bits_or | Bits_xor

let max_count = Atomic.make (1 lsl 30)
let set_max_count = Atomic.set max_count

let barrier ?even_if_cancelled c =
  let comm = Communicator.main c in
  Engine.perform ?even_if_cancelled ~what:"MPI_Ibarrier" ~keep_alive:() (fun () -> Raw.ibarrier comm)

(* --- checks --- *)

let wrong who text = invalid_arg (Printf.sprintf "Weft_mpi.Mpi.%s: %s" who text)

let same_length who a b =
  if Array1.dim a <> Array1.dim b then
    wrong who (Printf.sprintf "%d elements to be put into %d" (Array1.dim a) (Array1.dim b))

let at_least who a n =
  if Array1.dim a < n then wrong who (Printf.sprintf "%d elements to be put into %d" n (Array1.dim a))

(* What MPI counts with an [int]. *)
let check_count who n =
  if n > Atomic.get max_count then
    wrong who (Printf.sprintf "%d elements are more than a call takes (2^30)" n)

let checked_root who c root = Communicator.check_rank ~who:("Weft_mpi.Mpi." ^ who) c root

(* --- element by element: any number of elements, in pieces --- *)

let base (type l) (a : (_, _, l) Array1.t) = match Array1.layout a with C_layout -> 0 | Fortran_layout -> 1

(* The pieces are posted together: if the fiber is cancelled meanwhile, they all go on. *)
let in_pieces ~what ~keep_alive n f =
  let max_count = Atomic.get max_count in
  let rec post first =
    if first >= n then []
    else
      let count = Int.min max_count (n - first) in
      let p = Engine.post ~what ~keep_alive (fun () -> f first count) in
      p :: post (first + count)
  in
  if n <= max_count then Engine.perform ~what ~keep_alive (fun () -> f 0 n)
  else begin
    Engine.check ();
    List.iter Engine.finish (post 0)
  end

let broadcast c ~root a =
  checked_root "broadcast" c root;
  let comm = Communicator.main c in
  in_pieces ~what:"MPI_Ibcast" ~keep_alive:a (Array1.dim a) (fun first n -> Raw.ibcast a first n root comm)

let part a first n = if n = Array1.dim a then a else Array1.sub a (base a + first) n

let pairwise who what c op a b post =
  same_length who a b;
  let comm = Communicator.main c in
  in_pieces ~what ~keep_alive:(a, b) (Array1.dim a) (fun first n ->
      post (part a first n) (part b first n) op comm)

let all_reduce c op a b = pairwise "all_reduce" "MPI_Iallreduce" c op a b Raw.iallreduce
let scan c op a b = pairwise "scan" "MPI_Iscan" c op a b Raw.iscan
let scan_exclusive c op a b = pairwise "scan_exclusive" "MPI_Iexscan" c op a b Raw.iexscan

let reduce c op ~root a b =
  checked_root "reduce" c root;
  let b = if Communicator.rank c = root then b else a in
  pairwise "reduce" "MPI_Ireduce" c op a b (fun a b op comm -> Raw.ireduce a b op root comm)

(* --- a part for each rank --- *)

let gather c ~root a b =
  checked_root "gather" c root;
  if Communicator.rank c = root then at_least "gather" b (Communicator.size c * Array1.dim a);
  Engine.perform ~what:"MPI_Igather" ~keep_alive:(a, b) (fun () -> Raw.igather a b root (Communicator.main c))

let all_gather c a b =
  at_least "all_gather" b (Communicator.size c * Array1.dim a);
  Engine.perform ~what:"MPI_Iallgather" ~keep_alive:(a, b) (fun () ->
      Raw.iallgather a b (Communicator.main c))

let offsets lengths =
  let at = Array.make (Array.length lengths) 0 in
  for i = 1 to Array.length lengths - 1 do
    at.(i) <- at.(i - 1) + lengths.(i - 1)
  done;
  at

let all_gather_parts c ~lengths a b =
  let who = "all_gather_parts" in
  if Array.length lengths <> Communicator.size c || Array.exists (fun n -> n < 0) lengths then
    wrong who "lengths has not one length for each rank";
  let n = lengths.(Communicator.rank c) and total = Array.fold_left ( + ) 0 lengths in
  if Array1.dim a <> n then wrong who (Printf.sprintf "%d elements where lengths says %d" (Array1.dim a) n);
  check_count who total;
  at_least who b total;
  let counts =
    Array1.of_array int32 c_layout (Array.map Int32.of_int (Array.append lengths (offsets lengths)))
  in
  Engine.perform ~what:"MPI_Iallgatherv" ~keep_alive:(a, b, counts) (fun () ->
      Raw.iallgatherv a n b counts (Communicator.main c))

let scatter c ~root a b =
  checked_root "scatter" c root;
  let needed = Communicator.size c * Array1.dim b in
  if Communicator.rank c = root && Array1.dim a < needed then
    wrong "scatter" (Printf.sprintf "%d elements for parts of %d" (Array1.dim a) (Array1.dim b));
  Engine.perform ~what:"MPI_Iscatter" ~keep_alive:(a, b) (fun () ->
      Raw.iscatter a b root (Communicator.main c))

let all_to_all c a b =
  same_length "all_to_all" a b;
  let n = Array1.dim a and size = Communicator.size c in
  if n mod size <> 0 then wrong "all_to_all" (Printf.sprintf "%d elements for %d ranks" n size);
  Engine.perform ~what:"MPI_Ialltoall" ~keep_alive:(a, b) (fun () ->
      Raw.ialltoall a b (n / size) (Communicator.main c))

(* --- arrays of OCaml's heap --- *)

let using_floats a f =
  let n = Array.length a in
  Buffers.(using floats) n (fun b ->
      let b = part b 0 n in
      Raw.floats_in a 0 b 0 (8 * n);
      f b;
      Raw.floats_out b 0 a 0 (8 * n))

let broadcast_floats c ~root a = using_floats a (broadcast c ~root)
let all_reduce_floats c op a = using_floats a (fun b -> all_reduce c op b b)

let broadcast_bytes c ~root a =
  let n = Bytes.length a in
  Buffers.(using chars) n (fun b ->
      let part = part b 0 n in
      Raw.bytes_in a 0 part 0 n;
      broadcast c ~root part;
      Raw.bytes_out part 0 a 0 n)
