type t = {
  openfile : string -> Unix.open_flag list -> Unix.file_perm -> Unix.file_descr;
  size : Unix.file_descr -> int;
  read : Unix.file_descr -> at:int -> Bytes.t -> int -> int -> int;
  write : Unix.file_descr -> at:int -> Bytes.t -> int -> int -> int;
  truncate : Unix.file_descr -> int -> unit;
  sync : Unix.file_descr -> unit;
  close : Unix.file_descr -> unit;
  unlink : string -> unit;
}

(* Each descriptor has one user, so that nobody else moves its offset. *)
let seek fd at = ignore (Unix.LargeFile.lseek fd (Int64.of_int at) SEEK_SET)

let real =
  {
    openfile = Unix.openfile;
    size = (fun fd -> Int64.to_int (Unix.LargeFile.fstat fd).st_size);
    read =
      (fun fd ~at b from length ->
        seek fd at;
        Unix.read fd b from length);
    write =
      (fun fd ~at b from length ->
        seek fd at;
        (* [Unix.write] would hide how much has been written when a later part fails. *)
        Unix.single_write fd b from length);
    truncate = (fun fd size -> Unix.LargeFile.ftruncate fd (Int64.of_int size));
    sync = Unix.fsync;
    close = Unix.close;
    unlink = Unix.unlink;
  }

let rec again f = match f () with x -> x | exception Unix.Unix_error (EINTR, _, _) -> again f
let open_file s path flags = again (fun () -> s.openfile path (O_CLOEXEC :: flags) 0o644)
let unlink s path = again (fun () -> s.unlink path)

let read_fully s fd ~at b from length =
  let rec go had =
    if had = length then had
    else
      match again (fun () -> s.read fd ~at:(at + had) b (from + had) (length - had)) with
      | 0 -> had
      | n -> go (had + n)
  in
  go 0

let rec write_fully s fd ~at b from length =
  if length > 0 then
    match again (fun () -> s.write fd ~at b from length) with
    | 0 -> raise (Unix.Unix_error (EIO, "write", "nothing was written"))
    | n -> write_fully s fd ~at:(at + n) b (from + n) (length - n)

let sync s fd = again (fun () -> s.sync fd)
let truncate s fd size = again (fun () -> s.truncate fd size)

(* A second [close] after EINTR might close a file that another thread has just opened. *)
let close_quietly s fd = try s.close fd with Unix.Unix_error _ -> ()

let sync_directory s path =
  let fd = open_file s path [ O_RDONLY ] in
  Fun.protect
    ~finally:(fun () -> close_quietly s fd)
    (fun () -> try sync s fd with Unix.Unix_error (EINVAL, _, _) -> ())
