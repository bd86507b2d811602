type completed = { status : Unix.process_status; stdout : string; stderr : string }

exception Timed_out of completed

(* --- waiting --- *)

let rec reap pid : _ option =
  match Unix.waitpid [ WNOHANG ] pid with
  | 0, _ -> None
  | _, status -> Some status
  | exception Unix.Unix_error (EINTR, _, _) -> reap pid

let wait_until ~what ~deadline pid =
  let wait event = Transfer.retry ~what ~call:"waitpid" ~deadline event (fun () -> reap pid) in
  Weft.Cancel.check ();
  match reap pid with
  | Some status -> status
  | None when Transfer.is_over deadline -> raise Context.Timeout
  | None -> (
      Current_worker.in_pool @@ fun () ->
      match Descriptor.of_process pid with
      | None -> wait (Readiness.Ended pid)
      | Some fd ->
          Fun.protect ~finally:(fun () -> Readiness.close fd) (fun () -> wait (Readiness.Readable fd)))

(* The system's numbers have 32 bits: 2^32 - 1 would be -1, that is, all processes. *)
let largest = 0x7fff_ffff

let check ~what pid =
  if pid <= 0 || pid > largest then invalid_arg (Printf.sprintf "%s: %d is no process" what pid)

let waitpid ?timeout pid =
  let what = "Weft_unix.waitpid" in
  check ~what pid;
  wait_until ~what ~deadline:(Transfer.deadline ~what timeout) pid

(* --- stopping --- *)

let default_grace = 5.

(* Seconds, where nothing tells of the end: of a child for which there is neither a descriptor nor a thread,
   and of a group. *)
let between_looks = 0.01

(* [None]: it has not ended before [deadline]. *)
let rec reap_before ~what deadline pid =
  match wait_until ~what ~deadline pid with
  | status -> Some status
  | exception Context.Timeout -> None
  | exception Unix.Unix_error ((EAGAIN | ENOMEM | EMFILE | ENFILE), _, _) ->
      Readiness.pause ~what between_looks;
      reap_before ~what deadline pid

(* It will end, so closing the pool waits for it, as for a blocking call. *)
let holding_the_pool f =
  let suspended = (Current_worker.worker ()).parts.home.suspended in
  Suspended_fibers.hold suspended;
  Fun.protect ~finally:(fun () -> Suspended_fibers.release suspended) f

(* What is to be stopped: a child, and all others of the process group that it leads. *)
type child = { pid : int; group : bool }

(* A child that is gone has been reaped by somebody else: waiting for it says so. *)
let signal child signal =
  let target = if child.group then -child.pid else child.pid in
  try Unix.kill target signal with Unix.Unix_error (ESRCH, _, _) -> ()

(* Nothing tells when a group is empty. While it is not, no process and no other group gets its number. *)
let rec group_ends_before ~what deadline pid =
  match Unix.kill (-pid) 0 with
  | exception Unix.Unix_error _ -> true
  | () when Transfer.is_over deadline -> false
  | () ->
      Readiness.pause ~what between_looks;
      group_ends_before ~what deadline pid

(* Some of them may not be killed. *)
let kill_others child = try signal child Sys.sigkill with Unix.Unix_error _ -> ()

let end_and_reap ~what ~grace child =
  let deadline = Transfer.deadline ~what (Some grace) in
  signal child Sys.sigterm;
  match reap_before ~what deadline child.pid with
  | Some status ->
      if child.group && not (group_ends_before ~what deadline child.pid) then kill_others child;
      status
  | None ->
      signal child Sys.sigkill;
      Option.get (reap_before ~what None child.pid)

let stop_child ~what ~grace child =
  Context.shield @@ fun () ->
  holding_the_pool @@ fun () ->
  (* One that is no child of ours gets no signal. Of a group, others may go on when the child has ended. *)
  match if child.group then None else reap child.pid with
  | Some status -> status
  | None -> end_and_reap ~what ~grace child

let stop ?(grace = default_grace) pid =
  let what = "Weft_unix.stop" in
  check ~what pid;
  Timers.check_seconds ~who:what grace;
  Current_worker.in_pool (fun () -> stop_child ~what ~grace { pid; group = false })

(* --- those of [run] that are there at the end of the program --- *)

module Running = struct
  (* With the process that started them: a fork's copies are none of its children. *)
  let all : (int * child) list Atomic.t = Atomic.make []

  let rec change f =
    let before = Atomic.get all in
    if not (Atomic.compare_and_set all before (f before)) then change f

  let over = Atomic.make false

  let terminate (parent, child) =
    if parent = Unix.getpid () then try signal child Sys.sigterm with Unix.Unix_error _ -> ()

  (* One that starts at the same moment is listed, or sees [over]. *)
  let during child f =
    let entry = (Unix.getpid (), child) in
    change (List.cons entry);
    if Atomic.get over then terminate entry;
    Fun.protect ~finally:(fun () -> change (List.filter (( != ) entry))) f

  let terminate_all () =
    Atomic.set over true;
    List.iter terminate (Atomic.get all)

  let () = at_exit terminate_all
end

(* --- commands --- *)

(* What [run] has opened and must close, whatever happens. *)
type opened = { mutable descriptors : Unix.file_descr list }

let own opened fd =
  opened.descriptors <- fd :: opened.descriptors;
  fd

let close opened fd =
  if List.memq fd opened.descriptors then begin
    opened.descriptors <- List.filter (fun other -> other != fd) opened.descriptors;
    Readiness.close fd
  end

let close_all opened = List.iter (close opened) opened.descriptors

(* Where the program has closed its standard descriptors, new ones get their numbers. *)
let rec beyond_standard opened fd =
  if fd = Unix.stdin || fd = Unix.stdout || fd = Unix.stderr then begin
    let other = beyond_standard opened (own opened (Unix.dup ~cloexec:true fd)) in
    close opened fd;
    other
  end
  else fd

(* Our ends do not wait. The child's are as programs expect them. *)
let pipe opened =
  let input, output = Unix.pipe ~cloexec:true () in
  let input = own opened input and output = own opened output in
  (beyond_standard opened input, beyond_standard opened output)

(* A child that does not read its input to the end is no failure. *)
let feed opened ~what ~deadline fd text =
  (try Transfer.write_string_until ~what ~deadline fd text with Unix.Unix_error (EPIPE, _, _) -> ());
  close opened fd

let nothing_to_read opened =
  beyond_standard opened (own opened (Unix.openfile "/dev/null" [ O_RDONLY; O_CLOEXEC ] 0))

(* One that was started, our ends of its pipes, and what it has written so far. *)
type running = {
  child : child;
  input : (Unix.file_descr * string) option;  (** where it reads what *)
  out : Unix.file_descr * Buffer.t;
  err : Unix.file_descr * Buffer.t;
}

let start opened ~env ~group ~stdin command =
  let stdin, input =
    match stdin with
    | None -> (nothing_to_read opened, None)
    | Some text ->
        let input, output = pipe opened in
        (input, Some (Transfer.non_blocking output, text))
  in
  let out, stdout = pipe opened in
  let err, stderr = pipe opened in
  let ours fd = (Transfer.non_blocking fd, Buffer.create 4096) in
  let out = ours out and err = ours err in
  let pid = Spawn.start ~env ~group ~redirect:{ stdin; stdout; stderr } command in
  List.iter (close opened) [ stdin; stdout; stderr ];
  { child = { pid; group }; input; out; err }

let completed r status =
  { status; stdout = Buffer.contents (snd r.out); stderr = Buffer.contents (snd r.err) }

let communicate opened ~what ~deadline r =
  let feed () = Option.iter (fun (fd, text) -> feed opened ~what ~deadline fd text) r.input in
  let read (fd, buffer) () = Transfer.read_into buffer ~what ~deadline fd in
  let (), (), () = Weft.par3 feed (read r.out) (read r.err) in
  completed r (wait_until ~what ~deadline r.child.pid)

(* After a time-out. Something that goes on writing must not keep us here. *)
let read_rest (fd, buffer) =
  let some = Bytes.create Transfer.chunk in
  let rec go_on times =
    match Descriptor.read fd some 0 Transfer.chunk with
    | Done n when n > 0 ->
        Buffer.add_subbytes buffer some 0 n;
        if times > 1 then go_on (times - 1)
    | Done _ | Would_wait | May_wait -> ()
  in
  go_on 16

let run_in opened ~what ~deadline ~env ~group ~stdin ~grace command =
  let r = start opened ~env ~group ~stdin command in
  Running.during r.child @@ fun () ->
  try communicate opened ~what ~deadline r
  with exn -> (
    let backtrace = Printexc.get_raw_backtrace () in
    let status =
      match stop_child ~what ~grace r.child with
      | status -> Some status
      | exception Unix.Unix_error ((ECHILD | EPERM), _, _) -> None
    in
    match (exn, status) with
    (* Its own: the time-out of a call around it is [Cancelled] until it has left that. *)
    | Context.Timeout, Some status ->
        List.iter read_rest [ r.out; r.err ];
        raise (Timed_out (completed r status))
    | _ -> Printexc.raise_with_backtrace exn backtrace)

let run ?timeout ?(grace = default_grace) ?(group = false) ?env ?stdin command =
  let what = "Weft_unix.run" in
  if command = [] then invalid_arg (what ^ ": no command");
  Timers.check_seconds ~who:what grace;
  let deadline = Transfer.deadline ~what timeout in
  let opened = { descriptors = [] } in
  Current_worker.in_pool @@ fun () ->
  Weft.Cancel.check ();
  Fun.protect
    ~finally:(fun () -> close_all opened)
    (fun () -> run_in opened ~what ~deadline ~env ~group ~stdin ~grace (Array.of_list command))
