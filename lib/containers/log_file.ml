type position = int

exception Damaged = Log_error.Damaged
exception Locked = Log_lock.Locked
exception Failed = Log_writer.Failed
exception Closed = Log_writer.Closed

type recovery = { records : int; cut : cut option }
and cut = { file : string; offset : int; bytes : int; reason : string }

type t = {
  writer : Log_writer.t;
  lock : Log_lock.t;
  path : string;
  system : Log_system.t;
  seed : Log_format.seed;
  recovery : recovery;
}

(* {1 Opening} *)

(* Writes the last part once more, to sync it then. The process that wrote it may not have synced it, or
   may have tried in vain; then the system believes that pages are written that are not, until they are
   written again. *)
let write_again system fd ~base ~from ~stop =
  let chunk = Bytes.create 65536 in
  let rec go position =
    let length = min (Bytes.length chunk) (stop - position) in
    if length > 0 then begin
      let at = Log_format.offset ~base position in
      let had = Log_system.read_fully system fd ~at chunk 0 length in
      Log_system.write_fully system fd ~at chunk 0 had;
      go (position + length)
    end
  in
  go from

(* Makes the last segment end where it should, on the disk. Returns what it has cut off. *)
let repair system fd ~file ~base ~size (found : Log_recovery.found) =
  let offset = Log_format.offset ~base found.stop in
  if offset < size then Log_system.truncate system fd offset;
  if found.synced < found.stop || offset < size then begin
    write_again system fd ~base ~from:found.synced ~stop:found.stop;
    Log_system.sync system fd
  end;
  let cut (position, why) =
    let reason =
      if position = found.stop then why
      else Printf.sprintf "%s, at offset %d" why (Log_format.offset ~base position)
    in
    { file; offset; bytes = size - offset; reason }
  in
  Option.map cut found.bad

let new_log system path =
  let id = Int64.to_int (Random.State.bits64 (Random.State.make_self_init ())) land max_int in
  let segment = { Log_format.id; base = 0; first_number = 1 } in
  Log_system.close_quietly system (Log_segments.create system path segment);
  [| segment |]

let incomplete_segment (file, bytes) =
  { file; offset = 0; bytes; reason = "the header of the segment is incomplete" }

(* Called only once the segment before is known to be in order: the incomplete segment proves that it had
   been synced. *)
let remove_incomplete system path (file, bytes) =
  Log_segments.remove system path file;
  incomplete_segment (file, bytes)

let open_last system path ~segment_size ~synced ~incomplete (segments : Log_format.segment array) =
  let segment = segments.(Array.length segments - 1) in
  let file = Log_segments.file path segment in
  let seed = Log_format.seed ~id:segment.id in
  let fd = Log_system.open_file system file [ O_RDWR ] in
  match
    let size = system.size fd in
    let found = Log_recovery.scan system fd ~file seed segment ~size ~synced in
    let removed = Option.map (remove_incomplete system path) incomplete in
    let cut = repair system fd ~file ~base:segment.base ~size found in
    (* There is never both a cut and a removed segment: all before a removed segment had been synced. *)
    (found, if removed = None then cut else removed)
  with
  | { stop; number; marked; _ }, cut ->
      (Log_writer.make system path ~segment_size ~seed ~segments ~fd ~stop ~number ~marked, seed, cut)
  | exception e ->
      Log_system.close_quietly system fd;
      raise e

let open_locked system path ~segment_size lock =
  let { Log_segments.segments; synced; incomplete } = Log_segments.load system path in
  let writer, seed, cut =
    if segments <> [||] then open_last system path ~segment_size ~synced ~incomplete segments
    else
      (* The new log takes the place of an incomplete segment, if there is one. *)
      let writer, seed, _ =
        open_last system path ~segment_size ~synced ~incomplete:None (new_log system path)
      in
      (writer, seed, Option.map incomplete_segment incomplete)
  in
  let segments = Log_writer.segments writer in
  let records = Log_writer.number writer - segments.(0).first_number in
  { writer; lock; path; system; seed; recovery = { records; cut } }

let open_ ?(system = Log_system.real) ?(create = true) ?(segment_size = 1 lsl 26) path =
  if segment_size < 1 then
    invalid_arg
      (Printf.sprintf "Weft_containers.Log_file.open_: segment_size %d, which should be positive" segment_size);
  if create then Log_segments.make_directory system path
  else if Log_segments.bases path = [] then
    raise (Unix.Unix_error (ENOENT, "Weft_containers.Log_file.open_", path));
  let lock = Log_lock.acquire system path in
  match open_locked system path ~segment_size lock with
  | t -> t
  | exception e ->
      Log_lock.release lock;
      raise e

let recovery t = t.recovery

let close t =
  if not (Log_writer.is_closed t.writer) then
    Fun.protect ~finally:(fun () -> Log_lock.release t.lock) (fun () -> Log_writer.close t.writer)

(* {1 Appending} *)

type record = Log_writer.record

let record payload = Log_writer.record ~who:"Weft_containers.Log_file.record" payload
let append_groups t groups = Log_writer.append_groups t.writer groups

let append_as who t payloads =
  (append_groups t [| Array.map (fun payload -> Log_writer.record ~who payload) payloads |]).(0)

let append_many t payloads = append_as "Weft_containers.Log_file.append_many" t payloads
let append t payload = (append_as "Weft_containers.Log_file.append" t [| payload |]).(0)
let sync t = Log_writer.sync t.writer

(* {1 Reading} *)

let first_segment t = (Log_writer.segments t.writer).(0)
let first t = (first_segment t).base
let stop t = Log_writer.stop t.writer
let length t = Log_writer.number t.writer - (first_segment t).first_number

let view ~synced t =
  if Log_writer.is_closed t.writer then raise (Closed t.path);
  let stop = if synced then Log_writer.synced t.writer else Log_writer.stop t.writer in
  {
    Log_cursor.system = t.system;
    path = t.path;
    seed = t.seed;
    segments = Log_writer.segments t.writer;
    stop;
  }

let read t position = Log_cursor.read ~who:"Weft_containers.Log_file.read" (view ~synced:false t) position
let fold_as who ?from f t acc = Log_cursor.fold ~who ?from f (view ~synced:false t) acc
let fold ?from f t acc = fold_as "Weft_containers.Log_file.fold" ?from f t acc

let iter ?from f t =
  fold_as "Weft_containers.Log_file.iter" ?from (fun position payload () -> f position payload) t ()

(* {1 Dropping old records} *)

let drop_before t position = Log_writer.drop_before t.writer position
