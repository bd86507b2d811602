type completed = { status : Unix.process_status; stdout : string; stderr : string }

(* --- waiting --- *)

let rec reap pid : _ option =
  match Unix.waitpid [ WNOHANG ] pid with
  | 0, _ -> None
  | _, status -> Some status
  | exception Unix.Unix_error (EINTR, _, _) -> reap pid

let wait_until ~until pid =
  let what = "Weft_unix.waitpid" in
  Weft.Cancel.check ();
  match reap pid with
  | Some status -> status
  | None -> (
      Current_worker.in_pool @@ fun () ->
      let wait event = Transfer.retry ~what ~until event (fun () -> reap pid) in
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
  wait_until ~until:(Transfer.moment ~what timeout) pid

(* --- stopping --- *)

(* Seconds between two SIGKILLs. While a timer is set, closing the pool does not end the wait. *)
let kill_again = 10.
let pause = 0.01
let kill pid signal = try Unix.kill pid signal with Unix.Unix_error _ -> ()

(* Where neither a descriptor nor a thread can be had, by sleeping. *)
let rec insist pid ~seconds ~then_ =
  match waitpid ~timeout:seconds pid with
  | status -> status
  | exception Context.Timeout -> then_ ()
  | exception Unix.Unix_error ((EAGAIN | ENOMEM | EMFILE | ENFILE), _, _) ->
      Weft.sleep pause;
      if seconds > pause then insist pid ~seconds:(seconds -. pause) ~then_ else then_ ()

let rec kill_until_reaped pid =
  kill pid Sys.sigkill;
  insist pid ~seconds:kill_again ~then_:(fun () -> kill_until_reaped pid)

let default_grace = 5.

let stop ?(grace = default_grace) pid =
  check ~what:"Weft_unix.stop" pid;
  Timers.check_seconds ~who:"Weft_unix.stop" grace;
  Current_worker.in_pool @@ fun () ->
  Context.shield @@ fun () ->
  match reap pid with
  | Some status -> status
  | None ->
      kill pid Sys.sigterm;
      insist pid ~seconds:grace ~then_:(fun () -> kill_until_reaped pid)

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
let feed opened fd text =
  (try Transfer.write_string fd text with Unix.Unix_error (EPIPE, _, _) -> ());
  close opened fd

let nothing_to_read opened = keep opened (Unix.openfile "/dev/null" [ O_RDONLY; O_CLOEXEC ] 0)

let start opened ~env ~stdin argv =
  let their_in, our_in =
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
  let feed () = Option.iter (fun (fd, text) -> feed opened fd text) our_in in
  (pid, feed, Transfer.non_blocking our_out, Transfer.non_blocking our_err)

let communicate opened ~env ~stdin ~grace argv =
  let pid, feed, out, err = start opened ~env ~stdin argv in
  let status = ref None in
  let read fd () = Transfer.read_all fd in
  match
    let (), stdout, stderr = Weft.par3 feed (read out) (read err) in
    status := Some (wait_until ~until:None pid);
    (stdout, stderr)
  with
  | stdout, stderr -> { status = Option.get !status; stdout; stderr }
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      (if Option.is_none !status then
         try ignore (stop ~grace pid : Unix.process_status) with Unix.Unix_error (ECHILD, _, _) -> ());
      Printexc.raise_with_backtrace exn backtrace

let run ?timeout ?(grace = default_grace) ?env ?stdin argv =
  let what = "Weft_unix.run" in
  if argv = [] then invalid_arg (what ^ ": no command");
  Timers.check_seconds ~who:what grace;
  Option.iter (Timers.check_seconds ~who:what) timeout;
  let opened = { descriptors = [] } in
  let run () =
    Fun.protect ~finally:(fun () -> close_all opened) (fun () -> communicate opened ~env ~stdin ~grace argv)
  in
  Current_worker.in_pool @@ fun () ->
  match timeout with None -> run () | Some seconds -> Weft.Cancel.with_timeout seconds run
