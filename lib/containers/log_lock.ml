exception Locked of string

let () =
  Printexc.register_printer (function
    | Locked path -> Some (path ^ ": another log, of this process or another one, has this directory open")
    | _ -> None)

type t = { system : Log_system.t; fd : Unix.file_descr; key : int * int }

let held : (int * int, unit) Hashtbl.t = Hashtbl.create 7
let mutex = Mutex.create ()

let key_of path =
  let { Unix.st_dev; st_ino; _ } = Unix.stat path in
  (st_dev, st_ino)

let enter key =
  Mutex.protect mutex (fun () ->
      (not (Hashtbl.mem held key))
      &&
      (Hashtbl.add held key ();
       true))

let leave key = Mutex.protect mutex (fun () -> Hashtbl.remove held key)

let lock_file system path =
  let fd = Log_system.open_file system (Filename.concat path "lock") [ O_RDWR; O_CREAT ] in
  match Unix.lockf fd F_TLOCK 0 with
  | () -> fd
  | exception e ->
      Log_system.close_quietly system fd;
      raise (match e with Unix.Unix_error ((EAGAIN | EACCES), _, _) -> Locked path | e -> e)

let acquire system path =
  let key = key_of path in
  if not (enter key) then raise (Locked path);
  match lock_file system path with
  | fd -> { system; fd; key }
  | exception e ->
      leave key;
      raise e

(* The table comes last. Another thread that finds the directory free there opens the file; if this
   descriptor were closed after that, the other thread's lock would be lost. *)
let release t =
  Log_system.close_quietly t.system t.fd;
  leave t.key
