let reading path f x = Weft_platform.File_errors.naming path f x

let with_open path f =
  let channel = open_in_bin path in
  match f channel with
  | v ->
      close_in_noerr channel;
      v
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      close_in_noerr channel;
      Printexc.raise_with_backtrace exn backtrace

type file = { path : string; device : int; inode : int; size : int; seekable : bool }

let examine path (stats : Unix.LargeFile.stats) =
  let size = Int64.to_int stats.st_size in
  {
    path;
    device = stats.st_dev;
    inode = stats.st_ino;
    size;
    (* The system reports files of /proc as empty. *)
    seekable = stats.st_kind = S_REG && size > 0;
  }

(* Calls [push], from the channel's position on, with each line that begins below [stop]. [reading] must not
   name the file in errors of [push]. *)
let rec push_lines file channel stop push =
  if pos_in channel < stop then
    match reading file.path input_line channel with
    | line ->
        push line;
        push_lines file channel stop push
    | exception End_of_file -> ()

(* Goes behind the next end of line, or to [stop] if that comes first. It reads pieces, so that not even a
   very long line is kept in memory; the rest of a piece is still in the channel's buffer. *)
let rec end_of_line piece i n =
  if i < n && Bytes.unsafe_get piece i <> '\n' then end_of_line piece (i + 1) n else i

let skip_line channel stop =
  let piece = Bytes.create 4096 in
  let rec skip () =
    let at = LargeFile.pos_in channel in
    let wanted = Int.max 1 (Int.min (Bytes.length piece) (stop - Int64.to_int at)) in
    let n = input channel piece 0 wanted in
    match end_of_line piece 0 n with
    | i when i < n -> LargeFile.seek_in channel (Int64.add at (Int64.of_int (i + 1)))
    | _ -> if n > 0 && Int64.to_int at + n < stop then skip ()
  in
  skip ()

(* Goes to the first line that begins at [start] or after; if there is none before [stop], to any position
   from [stop] on. So if a line is longer than the blocks, each block reads only its own bytes of it. *)
let go_to file channel start stop =
  if start > 0 then begin
    reading file.path (LargeFile.seek_in channel) (Int64.of_int (start - 1));
    reading file.path (skip_line channel) stop
  end

let iterate file block positions first last push =
  with_open file.path @@ fun channel ->
  if not file.seekable then push_lines file channel max_int push
  else begin
    let now = examine file.path (reading file.path Unix.LargeFile.fstat (Unix.descr_of_in_channel channel)) in
    if now.device <> file.device || now.inode <> file.inode then
      raise (Sys_error (file.path ^ ": replaced by another file while its lines were read"));
    let stop = if last = positions - 1 then file.size else (last + 1) * block in
    go_to file channel (first * block) stop;
    push_lines file channel stop push
  end

(* Each block must open the file, which takes some microseconds, and reads the rest of a channel's buffer in
   vain. *)
let usual_block size = max 16_384 (min 262_144 (size / 64))

let source ?block path =
  (* By name: a named pipe must not be opened only to examine it. *)
  let examine () = examine path (reading path Unix.LargeFile.stat path) in
  let each push = iterate (examine ()) max_int 1 0 0 push
  and pass k =
    let file = examine () in
    let block = match block with Some block -> block | None -> usual_block file.size in
    let positions = if file.seekable then 1 + ((file.size - 1) / block) else 1 in
    k { Source.positions; offset = None; get = None; iterate = iterate file block positions }
  in
  { Source.each; known = None; pass; halves = None }
