module File = Weft_containers.Log_file
module Cursor = Weft_containers.Log_cursor

type position = File.position

exception Damaged = Weft_containers.Log_error.Damaged
exception Locked = File.Locked
exception Failed = File.Failed
exception Closed = File.Closed

(* {1 The structure} *)

type 'a op =
  | Append : File.record -> position op
  | Append_many : File.record array -> position array op
  | Sync : unit op
  | View : Cursor.view op
  | Drop_before : position -> unit op
  | Close : unit op

type sequential = { file : File.t; mutable records : int; mutable batches : int; mutable greatest : int }

let sequential file = { file; records = 0; batches = 0; greatest = 0 }

(* Appends and syncs; the callers of a batch wait for this. *)
let commit s groups =
  let positions =
    Weft.blocking (fun () ->
        let positions = File.append_groups s.file groups in
        File.sync s.file;
        positions)
  in
  let n = Array.fold_left (fun n group -> n + Array.length group) 0 groups in
  s.records <- s.records + n;
  if n > 0 then s.batches <- s.batches + 1;
  s.greatest <- max n s.greatest;
  positions

let apply : type a. sequential -> a op -> a =
 fun s op ->
  match op with
  | Append r -> (commit s [| [| r |] |]).(0).(0)
  | Append_many group -> (commit s [| group |]).(0)
  | Sync -> Weft.blocking (fun () -> File.sync s.file)
  | View -> File.view ~synced:true s.file
  | Drop_before position -> Weft.blocking (fun () -> File.drop_before s.file position)
  | Close -> Weft.blocking (fun () -> File.close s.file)

type packed = Op : 'a op * 'a Cell.t -> packed

(* The records to append, and the function that hands out their positions. *)
let group_of : packed -> (File.record array * (position array -> unit)) option = function
  | Op (Append r, cell) -> Some ([| r |], fun (positions : position array) -> Cell.resolve cell positions.(0))
  | Op (Append_many group, cell) -> Some (group, Cell.resolve cell)
  | Op ((Sync | View | Drop_before _ | Close), _) -> None

let rank (Op (op, _)) =
  match op with Append _ | Append_many _ -> 0 | Sync | View | Drop_before _ | Close -> 1

let apply_alone s (Op (op, cell)) =
  match apply s op with
  | result -> Cell.resolve cell result
  | exception e -> Cell.fail cell e (Printexc.get_raw_backtrace ())

let run_batch s ops =
  let ops = Array.to_list ops in
  let appends, others = List.partition (fun op -> Option.is_some (group_of op)) ops in
  let groups = Array.of_list (List.filter_map group_of appends) in
  (if Array.length groups > 0 then
     match commit s (Array.map fst groups) with
     | positions -> Array.iter2 (fun (_, resolve) p -> resolve p) groups positions
     | exception e ->
         let bt = Printexc.get_raw_backtrace () in
         List.iter (fun (Op (_, cell)) -> Cell.fail cell e bt) appends);
  List.iter (apply_alone s) others

(* {1 Batched} *)

type call = packed = Op : 'a op * 'a Cell.t -> call

module Batch = Batched.Make (struct
  type t = sequential
  type nonrec 'a op = 'a op
  type packed = call = Op : 'a op * 'a Cell.t -> packed

  let apply = apply
  let run = Some run_batch
end)

include Batch

(* Reads without waiting, which is safe for fields that only grow, and values that never change. *)
let state = unguarded
let file t = (state t).file

(* Two appends in one batch are faster than one by one, on any disk. *)
let open_ ?system ?create ?segment_size ?limit path =
  Misuse.check "Weft_batch.Log.open_" ?limit ();
  Option.iter
    (fun n -> if n < 1 then invalid_arg (Printf.sprintf "Weft_batch.Log.open_: segments of %d bytes" n))
    segment_size;
  let file = Weft.blocking (fun () -> File.open_ ?system ?create ?segment_size path) in
  match Batch.create ?limit ~rank ~cutoff:(`Fixed 2) (sequential file) with
  | t -> t
  | exception e ->
      Weft.blocking (fun () -> File.close file);
      raise e

let recovery t = File.recovery (file t)
let close t = exec t Close

(* {1 Appending} *)

let record who payload = Weft_containers.Log_writer.record ~who payload
let append t payload = exec t (Append (record "Weft_batch.Log.append" payload))
let append_many t payloads = exec t (Append_many (Array.map (record "Weft_batch.Log.append_many") payloads))
let sync t = exec t Sync

(* {1 Reading} *)

let length t = File.length (file t)
let first t = File.first (file t)

let read t position =
  let view = exec t View in
  Weft.blocking (fun () -> Cursor.read ~who:"Weft_batch.Log.read" view position)

let fold_as who ?from f t acc =
  let view = exec t View in
  Cursor.fold ~who ~around:Weft.blocking ?from f view acc

let fold ?from f t acc = fold_as "Weft_batch.Log.fold" ?from f t acc
let iter ?from f t = fold_as "Weft_batch.Log.iter" ?from (fun position payload () -> f position payload) t ()
let drop_before t position = exec t (Drop_before position)

(* {1 Statistics} *)

type stats = { records : int; batches : int; greatest : int }

let stats t : stats =
  let ({ records; batches; greatest; _ } : sequential) = state t in
  { records; batches; greatest }
