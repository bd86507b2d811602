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

let post_send comm ~dest ~tag a first count =
  Engine.post ~what:"MPI_Isend" ~keep:a (fun () -> Raw.isend a first count dest tag comm)

let post_recv ?(cancellable = true) comm ~source ~tag a first count =
  Engine.post ~cancellable ~what:"MPI_Irecv" ~keep:a (fun () -> Raw.irecv a first count source tag comm)

let send_part comm ~dest ~tag a first count =
  ignore
    (Engine.perform ~what:"MPI_Isend" ~keep:a (fun () -> Raw.isend a first count dest tag comm)
      : Engine.status)

let recv_part comm ?(source = -1) ~tag a first count =
  Engine.perform ~cancellable:true ~what:"MPI_Irecv" ~keep:a (fun () ->
      Raw.irecv a first count source tag comm)

let send ?(tag = 0) c ~dest a =
  check ~who:"Weft_mpi.Mpi.send" ~dest ~tag c;
  send_part (Communicator.main c) ~dest ~tag a 0 (Array1.dim a)

let recv ?(tag = 0) ?source c a =
  check ~who:"Weft_mpi.Mpi.recv" ?source ~tag c;
  status_of a (recv_part (Communicator.main c) ?source ~tag a 0 (Array1.dim a))

let exchange ?(tag = 0) c ~dest a ~source b =
  check ~who:"Weft_mpi.Mpi.exchange" ~source ~dest ~tag c;
  let comm = Communicator.main c in
  let coming = post_recv comm ~source ~tag b 0 (Array1.dim b) in
  match send_part comm ~dest ~tag a 0 (Array1.dim a) with
  | () -> status_of b (Engine.finish coming)
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      Engine.abandon coming exn;
      Printexc.raise_with_backtrace exn backtrace

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
        let status = status_of b (recv_part (Communicator.main c) ?source ~tag b 0 n) in
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
        let status = status_of b (recv_part (Communicator.main c) ?source ~tag b 0 n) in
        Raw.bytes_out b 0 a 0 status.count;
        status)
end
