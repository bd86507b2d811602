module Watchdog = Testing.Watchdog
module Poller = Weft_platform.Poller

let case = Watchdog.case
let until = Watchdog.until
let sizes = [ 1; 2; 8 ]
let on_each_size f = List.iter (fun domains -> Weft.run ~domains f) sizes
let check = Testing.Checks.check
let check_int = Testing.Checks.check_int

let check_string what expected got =
  if not (String.equal expected got) then Alcotest.failf "%s: %S, not %S" what got expected

let yield_until what condition =
  Watchdog.during
    (fun () -> "a fiber waits until " ^ what)
    (fun () ->
      while not (condition ()) do
        Weft.yield ()
      done)

let waiting f =
  let before = Poller.waits () in
  let task = Weft.async f in
  yield_until "a task waits" (fun () -> Poller.waits () > before);
  task

let fails what errors f =
  match f () with
  | _ -> Alcotest.failf "%s: no error" what
  | exception Unix.Unix_error (error, _, _) ->
      if not (List.mem error errors) then Alcotest.failf "%s: %s" what (Unix.error_message error)

let descriptors () = Array.length (Sys.readdir "/proc/self/fd")

let no_children () =
  match Unix.waitpid [ WNOHANG ] (-1) with
  | exception Unix.Unix_error (ECHILD, _, _) -> true
  | pid, _ ->
      if pid > 0 then Alcotest.failf "process %d was not reaped" pid;
      false

let leaves_nothing test () =
  until "nobody polls yet" (fun () -> not (Poller.runs ()));
  (* This domain keeps the clock of its last worker. *)
  Weft.run ~domains:1 ignore;
  let before = descriptors () in
  test ();
  check_int "waits that are left" 0 (Poller.waits ());
  check "children are left" (no_children ());
  until "nobody polls any more" (fun () -> not (Poller.runs ()));
  until "no descriptor is left" (fun () -> descriptors () <= before)

(* A number that the test has closed may be another file's already, so it is not closed again. *)
let lock = Mutex.create ()
let left_open = ref []

let opened fd =
  Mutex.protect lock (fun () -> left_open := fd :: !left_open);
  fd

let forget fd =
  Mutex.protect lock @@ fun () ->
  let was_open = List.mem fd !left_open in
  left_open := List.filter (( <> ) fd) !left_open;
  was_open

let close fd =
  ignore (forget fd : bool);
  Weft_unix.close fd

let close_if_open fd = if forget fd then Weft_unix.close fd

let using (a, b) f =
  let a = opened a and b = opened b in
  Fun.protect
    ~finally:(fun () ->
      close_if_open a;
      close_if_open b)
    (fun () -> f a b)

let with_pair f = using (Weft_unix.socketpair ()) f
let with_pipe f = using (Weft_unix.pipe ()) f

let with_listener ?(backlog = 1024) f =
  let fd = opened (Weft_unix.socket PF_INET SOCK_STREAM 0) in
  Fun.protect
    ~finally:(fun () -> close_if_open fd)
    (fun () ->
      Unix.bind fd (ADDR_INET (Unix.inet_addr_loopback, 0));
      Unix.listen fd backlog;
      f fd (Unix.getsockname fd))

let fill fd =
  let some = Bytes.create 4096 in
  let rec go_on () =
    match Weft_unix.single_write ~timeout:0. fd some 0 4096 with
    | _ -> go_on ()
    | exception Weft.Cancel.Timeout -> ()
  in
  go_on ()
