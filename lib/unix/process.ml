type completed = { status : Unix.process_status; stdout : string; stderr : string }

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

(* Seconds between two looks, where neither a descriptor nor a thread can be had. *)
let pause = 0.01

(* [None]: it has not ended before [deadline]. *)
let rec reap_before ~what deadline pid =
  match wait_until ~what ~deadline pid with
  | status -> Some status
  | exception Context.Timeout -> None
  | exception Unix.Unix_error ((EAGAIN | ENOMEM | EMFILE | ENFILE), _, _) ->
      Readiness.pause ~what pause;
      reap_before ~what deadline pid

(* It will end, so closing the pool waits for it, as for a blocking call. *)
let holding_the_pool f =
  let suspended = (Current_worker.worker ()).parts.home.suspended in
  Suspended_fibers.hold suspended;
  Fun.protect ~finally:(fun () -> Suspended_fibers.release suspended) f

let end_and_reap ~what ~grace pid =
  Unix.kill pid Sys.sigterm;
  match reap_before ~what (Transfer.deadline ~what (Some grace)) pid with
  | Some status -> status
  | None ->
      Unix.kill pid Sys.sigkill;
      Option.get (reap_before ~what None pid)

let stop ?(grace = default_grace) pid =
  let what = "Weft_unix.stop" in
  check ~what pid;
  Timers.check_seconds ~who:what grace;
  Current_worker.in_pool @@ fun () ->
  Context.shield @@ fun () ->
  holding_the_pool @@ fun () ->
  match reap pid with Some status -> status | None -> end_and_reap ~what ~grace pid

(* --- commands --- *)

(* What [run] has opened and must close, whatever happens. *)
type opened = { mutable descriptors : Unix.file_descr list }

let keep opened fd =
  opened.descriptors <- fd :: opened.descriptors;
  fd

let close opened fd =
  if List.memq fd opened.descriptors then begin
    opened.descriptors <- List.filter (fun other -> other != fd) opened.descriptors;
    Readiness.close fd
  end

let close_all opened = List.iter (close opened) opened.descriptors

(* Our ends do not wait. The child's are as programs expect them. *)
let pipe opened =
  let input, output = Unix.pipe ~cloexec:true () in
  (keep opened input, keep opened output)

let spawn ~env argv ~stdin ~stdout ~stderr =
  let program = List.hd argv and arguments = Array.of_list argv in
  match env with
  | None -> Unix.create_process program arguments stdin stdout stderr
  | Some env -> Unix.create_process_env program arguments env stdin stdout stderr

(* A child that does not read its input to the end is no failure. *)
let feed opened ~what ~deadline fd text =
  (try Transfer.write_string_until ~what ~deadline fd text with Unix.Unix_error (EPIPE, _, _) -> ());
  close opened fd

let nothing_to_read opened = keep opened (Unix.openfile "/dev/null" [ O_RDONLY; O_CLOEXEC ] 0)

type started = {
  pid : int;
  input : (Unix.file_descr * string) option;  (** where the child reads what *)
  out : Unix.file_descr;
  err : Unix.file_descr;
}

let start opened ~env ~stdin argv =
  let their_in, input =
    match stdin with
    | None -> (nothing_to_read opened, None)
    | Some text ->
        let input, output = pipe opened in
        (input, Some (Transfer.non_blocking output, text))
  in
  let our_out, their_out = pipe opened in
  let our_err, their_err = pipe opened in
  let pid = spawn ~env argv ~stdin:their_in ~stdout:their_out ~stderr:their_err in
  List.iter (close opened) [ their_in; their_out; their_err ];
  { pid; input; out = Transfer.non_blocking our_out; err = Transfer.non_blocking our_err }

let communicate opened ~what ~deadline child =
  let feed () = Option.iter (fun (fd, text) -> feed opened ~what ~deadline fd text) child.input in
  let read fd () =
    let all = Buffer.create 4096 in
    Transfer.read_into all ~what ~deadline fd;
    Buffer.contents all
  in
  let (), stdout, stderr = Weft.par3 feed (read child.out) (read child.err) in
  { status = wait_until ~what ~deadline child.pid; stdout; stderr }

let run_in opened ~what ~deadline ~env ~stdin ~grace argv =
  let child = start opened ~env ~stdin argv in
  try communicate opened ~what ~deadline child
  with exn ->
    let backtrace = Printexc.get_raw_backtrace () in
    (try ignore (stop ~grace child.pid : Unix.process_status)
     with Unix.Unix_error ((ECHILD | EPERM), _, _) -> ());
    Printexc.raise_with_backtrace exn backtrace

let run ?timeout ?(grace = default_grace) ?env ?stdin argv =
  let what = "Weft_unix.run" in
  if argv = [] then invalid_arg (what ^ ": no command");
  Timers.check_seconds ~who:what grace;
  let deadline = Transfer.deadline ~what timeout in
  let opened = { descriptors = [] } in
  Current_worker.in_pool @@ fun () ->
  Weft.Cancel.check ();
  Fun.protect
    ~finally:(fun () -> close_all opened)
    (fun () -> run_in opened ~what ~deadline ~env ~stdin ~grace argv)
