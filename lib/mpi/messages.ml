open Bigarray

type status = { source : int; tag : int; count : int }

let any_tag = -1

let check ~who ?source ?dest ?(tag = 0) c =
  Option.iter (Communicator.check_rank ~who c) source;
  Option.iter (Communicator.check_rank ~who c) dest;
  if tag < -1 || (tag = -1 && dest <> None) || tag > 32_767 then
    invalid_arg (Printf.sprintf "%s: tag %d is not from 0 to 32767" who tag)

let size_of a = kind_size_in_bytes (Array1.kind a)
let status_of a (s : Engine.status) = { source = s.(1); tag = s.(2); count = s.(0) / size_of a }

(* --- Bigarrays --- *)

let post_send ?to_the_end comm ~dest ~tag a first count =
  Engine.post ?to_the_end ~what:"MPI_Isend" ~keep:a (fun () -> Raw.isend a first count dest tag comm)

let post_recv comm ~source ~tag a first count =
  Engine.post ~to_the_end:true ~what:"MPI_Irecv" ~keep:a (fun () -> Raw.irecv a first count source tag comm)

let send_part comm ~dest ~tag a first count =
  ignore
    (Engine.perform ~what:"MPI_Isend" ~keep:a (fun () -> Raw.isend a first count dest tag comm)
      : Engine.status)

(* As if it had been received: it must leave MPI. *)
let drop ~what message bytes =
  let a = Array1.create char c_layout bytes in
  ignore (Engine.perform_to_the_end ~what ~keep:a (fun () -> Raw.imrecv a bytes message) : Engine.status)

let does_not_fit ~what message bytes ~room ~size =
  drop ~what message bytes;
  let text = Printf.sprintf "a message of %d bytes for an array of %d, in elements of %d" bytes room size in
  raise (Raw.Error { call = what; code = Raw.truncated; text })

let recv_part comm ?(source = -1) ~tag a =
  let what = "MPI_Imrecv" and size = size_of a in
  let message, status = Engine.message ~what ~source ~tag comm in
  let bytes = status.(0) and room = size * Array1.dim a in
  if bytes > room || bytes mod size <> 0 then does_not_fit ~what message bytes ~room ~size;
  ignore
    (Engine.perform_to_the_end ~what ~keep:a (fun () -> Raw.imrecv a (bytes / size) message) : Engine.status);
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
  ignore (Engine.finish going : Engine.status);
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
