type view = {
  system : Log_system.t;
  path : string;
  seed : Log_format.seed;
  segments : Log_format.segment array;
  stop : int;
}

type open_segment = { fd : Unix.file_descr; reader : Log_reader.t }

type t = {
  who : string;  (** for messages *)
  view : view;
  mutable next : int;  (** index of the next segment to be opened *)
  mutable from : int;  (** where to begin in it *)
  mutable current : open_segment option;
}

let file view (segment : Log_format.segment) = Filename.concat view.path (Log_format.file_name segment.base)

(* The position behind the last record of the segment. *)
let limit view i = if i + 1 < Array.length view.segments then view.segments.(i + 1).base else view.stop

let make ?(who = "Weft_containers.Log_cursor.make") view ~from =
  if from < view.segments.(0).base || from > view.stop then
    invalid_arg
      (Printf.sprintf "%s: position %d is not between %d, the first, and %d, the end" who from
         view.segments.(0).base view.stop);
  let rec find i =
    if i + 1 < Array.length view.segments && view.segments.(i + 1).base <= from then find (i + 1) else i
  in
  { who; view; next = find 0; from; current = None }

let read_segment view i ~from =
  let segment = view.segments.(i) in
  let number = if from = segment.base then segment.first_number else 0 in
  let fd = Log_system.open_file view.system (file view segment) [ O_RDONLY ] in
  {
    fd;
    reader = Log_reader.make view.system fd view.seed ~base:segment.base ~from ~limit:(limit view i) ~number;
  }

let close_segment t =
  Option.iter (fun { fd; _ } -> Log_system.close_quietly t.view.system fd) t.current;
  t.current <- None

let close = close_segment
let no_record who position = invalid_arg (Printf.sprintf "%s: no record begins at position %d" who position)

(* No good record was found at [position], the first one to be read of segment [i]. Reads the segment from
   its start to tell whether no record begins there or a record is damaged. *)
let tell { who; view; _ } i ~position reason =
  let segment = view.segments.(i) in
  let damaged at reason =
    Log_error.damaged (file view segment) (Log_format.offset ~base:segment.base at) reason
  in
  let { fd; reader } = read_segment view i ~from:segment.base in
  Fun.protect ~finally:(fun () -> Log_system.close_quietly view.system fd) @@ fun () ->
  let rec go () =
    if Log_reader.position reader >= position then
      if Log_reader.position reader = position then damaged position reason else no_record who position
    else
      match Log_reader.next reader with
      | Record _ | Mark _ -> go ()
      | Bad reason -> damaged (Log_reader.position reader) reason
      | End -> damaged position reason
  in
  go ()

let rec chunk t =
  match t.current with
  | Some { reader; _ } -> gather t reader [] 0
  | None when t.next = Array.length t.view.segments -> []
  | None ->
      t.current <- Some (read_segment t.view t.next ~from:t.from);
      t.next <- t.next + 1;
      chunk t

and gather t reader records bytes =
  if bytes >= 65536 then List.rev records
  else
    match Log_reader.next reader with
    | Record { position; payload; _ } ->
        gather t reader ((position, payload) :: records)
          (bytes + Log_format.record_header + String.length payload)
    | Mark _ -> gather t reader records bytes
    | Bad _ when records <> [] -> List.rev records
    | Bad reason -> tell t (t.next - 1) ~position:(Log_reader.position reader) reason
    | End ->
        close_segment t;
        if t.next < Array.length t.view.segments then t.from <- t.view.segments.(t.next).base;
        if records = [] then chunk t else List.rev records

let first view = view.segments.(0).base

let fold ?(who = "Weft_containers.Log_cursor.fold") ?(around = fun read -> read ()) ?from f view acc =
  let t = make ~who view ~from:(Option.value from ~default:(first view)) in
  let rec go acc =
    match around (fun () -> chunk t) with
    | [] -> acc
    | records -> go (List.fold_left (fun acc (position, payload) -> f position payload acc) acc records)
  in
  Fun.protect ~finally:(fun () -> close t) (fun () -> go acc)

let read ?(who = "Weft_containers.Log_cursor.read") view position =
  let t = make ~who view ~from:position in
  Fun.protect ~finally:(fun () -> close t) @@ fun () ->
  let i = t.next in
  let opened = read_segment view i ~from:position in
  t.current <- Some opened;
  match Log_reader.next opened.reader with
  | Record { payload; _ } -> payload
  | Bad reason -> tell t i ~position reason
  | Mark _ | End -> no_record who position
