type t = { path : string; writer : Unix.file_descr; reader : Unix.file_descr }

let create ~dir =
  let path = Filename.concat dir "output" in
  let writer = Unix.openfile path [ O_WRONLY; O_CREAT; O_EXCL; O_APPEND; O_CLOEXEC ] 0o600 in
  { path; writer; reader = Unix.openfile path [ O_RDONLY; O_CLOEXEC ] 0 }

let writer t = t.writer
let path t = t.path
let most = 16_384

(* Keeps the position that [pass_on] has reached. *)
let last_lines t =
  let place = Unix.lseek t.reader 0 SEEK_CUR in
  let size = Unix.lseek t.reader 0 SEEK_END in
  let from = max 0 (size - most) in
  ignore (Unix.lseek t.reader from SEEK_SET : int);
  let bytes = Bytes.create most in
  let n = try Unix.read t.reader bytes 0 most with Unix.Unix_error _ -> 0 in
  ignore (Unix.lseek t.reader place SEEK_SET : int);
  let lines = String.split_on_char '\n' (Bytes.sub_string bytes 0 n) in
  let lines = match List.rev lines with "" :: rest -> List.rev rest | _ -> lines in
  List.filteri (fun i _ -> i >= List.length lines - 100) lines

let pass_on t fd =
  let bytes = Bytes.create 65536 in
  let rec write from until =
    if from < until then
      match Unix.write fd bytes from (until - from) with
      | n -> write (from + n) until
      | exception Unix.Unix_error (EINTR, _, _) -> write from until
  in
  let rec go () =
    match Unix.read t.reader bytes 0 65536 with
    | 0 -> ()
    | n ->
        write 0 n;
        go ()
    | exception Unix.Unix_error (EINTR, _, _) -> go ()
  in
  try go () with Unix.Unix_error _ -> ()
