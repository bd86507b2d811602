open Bigarray

type status = { source : int; tag : int; count : int }

let any_tag = -1

let check ~who ?source ?dest ?(tag = 0) c =
  Option.iter (Communicator.check_rank ~who c) source;
  Option.iter (Communicator.check_rank ~who c) dest;
  if tag < -1 || (tag = -1 && dest <> None) || tag > 32_767 then
    invalid_arg (Printf.sprintf "%s: tag %d is not from 0 to 32767" who tag)

let size_of a = kind_size_in_bytes (Array1.kind a)

let status_of a (s : Engine.status) =
  { source = s.(Raw.source); tag = s.(Raw.tag); count = s.(Raw.bytes) / size_of a }

(* --- Bigarrays --- *)

let post_send ?to_the_end comm ~dest ~tag a first count =
  Engine.post ?to_the_end ~what:"MPI_Isend" ~keep_alive:a (fun () -> Raw.isend a first count dest tag comm)

let post_recv comm ~source ~tag a first count =
  Engine.post ~to_the_end:true ~what:"MPI_Irecv" ~keep_alive:a (fun () ->
      Raw.irecv a first count source tag comm)

let send_part comm ~dest ~tag a first count =
  Engine.perform ~what:"MPI_Isend" ~keep_alive:a (fun () -> Raw.isend a first count dest tag comm)

(* What does not fit is received all the same: it must leave MPI. *)
let receive_or_drop comm ?(source = -1) ~tag a =
  let size = size_of a in
  let fits bytes = bytes <= size * Array1.dim a && bytes mod size = 0 in
  let post message bytes =
    if fits bytes then (Raw.imrecv a (bytes / size) message, Pending.Keep_alive a)
    else
      let b = Array1.create char c_layout bytes in
      (Raw.imrecv b bytes message, Pending.Keep_alive b)
  in
  let status = Engine.receive ~what:"MPI_Imrecv" ~source ~tag comm post in
  (status, fits status.(Raw.bytes))

let recv_part comm ?source ~tag a =
  let status, fits = receive_or_drop comm ?source ~tag a in
  if not fits then begin
    let bytes = status.(Raw.bytes) and size = size_of a in
    let room = size * Array1.dim a in
    let text = Printf.sprintf "a message of %d bytes for an array of %d, in elements of %d" bytes room size in
    raise (Raw.Error { call = "MPI_Imrecv"; code = Raw.truncated; text })
  end;
  status

let send ?(tag = 0) c ~dest a =
  check ~who:"Weft_mpi.Mpi.send" ~dest ~tag c;
  send_part (Communicator.main c) ~dest ~tag a 0 (Array1.dim a)

let recv ?(tag = 0) ?source c a =
  check ~who:"Weft_mpi.Mpi.recv" ?source ~tag c;
  status_of a (recv_part (Communicator.main c) ?source ~tag a)

let exchange ?(tag = 0) c ~dest a ~source b =
  check ~who:"Weft_mpi.Mpi.exchange" ~source ~dest ~tag c;
  let comm = Communicator.main c in
  Engine.check ();
  let going = post_send comm ~dest ~tag a 0 (Array1.dim a) in
  let status = status_of b (recv_part comm ~source ~tag b) in
  Engine.finish going;
  status

(* --- what lies in OCaml's heap --- *)

module Floats = struct
  let send ?(tag = 0) c ~dest a =
    check ~who:"Weft_mpi.Mpi.Floats.send" ~dest ~tag c;
    let n = Array.length a in
    Buffers.(using floats) n (fun b ->
        Raw.floats_in a 0 b 0 (8 * n);
        send_part (Communicator.main c) ~dest ~tag b 0 n)

  let recv ?(tag = 0) ?source c a =
    check ~who:"Weft_mpi.Mpi.Floats.recv" ?source ~tag c;
    let n = Array.length a in
    Buffers.(using floats) n (fun b ->
        let status = status_of b (recv_part (Communicator.main c) ?source ~tag (Array1.sub b 0 n)) in
        Raw.floats_out b 0 a 0 (8 * status.count);
        status)
end

module Bytes = struct
  let send ?(tag = 0) c ~dest a =
    check ~who:"Weft_mpi.Mpi.Bytes.send" ~dest ~tag c;
    let n = Bytes.length a in
    Buffers.(using chars) n (fun b ->
        Raw.bytes_in a 0 b 0 n;
        send_part (Communicator.main c) ~dest ~tag b 0 n)

  let recv ?(tag = 0) ?source c a =
    check ~who:"Weft_mpi.Mpi.Bytes.recv" ?source ~tag c;
    let n = Bytes.length a in
    Buffers.(using chars) n (fun b ->
        let status = status_of b (recv_part (Communicator.main c) ?source ~tag (Array1.sub b 0 n)) in
        Raw.bytes_out b 0 a 0 status.count;
        status)
end
