exception Error = Raw.Error

let () =
  Printexc.register_printer (function
    | Error { call; code; text } -> Some (Printf.sprintf "%s: %s (error %d)" call text code)
    | Values.Wrong_type { source; wanted } ->
        let wanted = if wanted = "" then "no type is named" else Printf.sprintf "%S is wanted" wanted in
        Some (Printf.sprintf "Weft_mpi.Mpi.Value: rank %d sent a value of another type; %s" source wanted)
    | _ -> None)

(* --- beginning and end --- *)

let lock = Weft.Mutex.create ()
let is_begun = ref false

let level () =
  match Sys.getenv_opt "WEFT_MPI_THREADS" with
  | None | Some ("" | "serialized") -> Engine.Serialized
  | Some "funneled" -> Engine.Funneled
  | Some other ->
      Say.line "WEFT_MPI_THREADS is %S, not serialized or funneled; serialized is used" other;
      Engine.Serialized

let finalize () =
  Job_end.wait_for_all ();
  Job_end.is_over ();
  Window.free_all ();
  Engine.stop_mpi ()

let init () =
  Weft.Mutex.protect lock @@ fun () ->
  if not !is_begun then begin
    Engine.start_mpi (level ());
    let world = Communicator.make_world () in
    Job_end.init (Communicator.main world) ~rank:(Communicator.rank world) ~size:(Communicator.size world);
    at_exit finalize;
    is_begun := true
  end

let abort = Job_end.abort
let processor_name () = Engine.call ~what:"MPI_Get_processor_name" Raw.processor_name

(* --- communicators --- *)

module Comm = Communicator

(* --- messages --- *)

type status = Messages.status = { source : int; tag : int; count : int }

let any_tag = Messages.any_tag
let send = Messages.send
let recv = Messages.recv
let exchange = Messages.exchange

(* --- collectives --- *)

type op = Collectives.op = Sum | Product | Min | Max | Bits_and | Bits_or | Bits_xor

let barrier c = Collectives.barrier c
let broadcast = Collectives.broadcast
let reduce = Collectives.reduce
let all_reduce = Collectives.all_reduce
let scan = Collectives.scan
let scan_exclusive = Collectives.scan_exclusive
let gather = Collectives.gather
let all_gather = Collectives.all_gather
let all_gather_parts = Collectives.all_gather_parts
let scatter = Collectives.scatter
let all_to_all = Collectives.all_to_all

module Floats = struct
  include Messages.Floats

  let broadcast = Collectives.broadcast_floats
  let all_reduce = Collectives.all_reduce_floats
end

module Bytes = struct
  include Messages.Bytes

  let broadcast = Collectives.broadcast_bytes
end

module Value = Values
module Window = Window

module Private = struct
  let pending = Completion.pending
  let buffer_bytes = Buffers.bytes
  let set_patience = Job_end.set_patience

  let set_max_count n =
    Raw.set_max_count n;
    Collectives.set_max_count n;
    Values.set_piece n
end
