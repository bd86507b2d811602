(* test_runner FILE: runs each line of FILE as a shell command, eight at a time, each for at most ten
   seconds, and prints in the order of the file how each has ended, with the output of those that have
   failed. The exit code is 1 if any has. *)

type outcome = Passed | Failed of string * Weft_unix.completed

let reason (status : Unix.process_status) =
  match status with
  | WEXITED n -> Printf.sprintf "exit code %d" n
  | WSIGNALED _ | WSTOPPED _ -> "ended by a signal"

let run_test room command =
  Weft.Limit.run room (fun () ->
      (* All that the shell has started is stopped with it. *)
      match Weft_unix.run ~timeout:10. ~group:true [ "sh"; "-c"; command ] with
      | { status = WEXITED 0; _ } -> Passed
      | completed -> Failed (reason completed.status, completed)
      | exception Weft_unix.Timed_out completed -> Failed ("too slow", completed))

(* [true] if it passed. *)
let report command = function
  | Passed ->
      Printf.printf "ok      %s\n%!" command;
      true
  | Failed (why, { stdout; stderr; _ }) ->
      Printf.printf "FAILED  %s: %s\n%s%s%!" command why stdout stderr;
      false

let () =
  (* Ctrl-C does not reach groups of their own: as an exception, it cancels the runs, which stop them. *)
  Sys.catch_break true;
  let lines = In_channel.with_open_text Sys.argv.(1) In_channel.input_lines in
  let commands = List.filter (fun line -> line <> "" && line.[0] <> '#') lines in
  let all_passed =
    Weft.run (fun () ->
        let room = Weft.Limit.create 8 in
        let start command = (command, Weft.async (fun () -> run_test room command)) in
        let tests = List.map start commands in
        List.fold_left (fun passed (command, test) -> report command (Weft.await test) && passed) true tests)
  in
  exit (if all_passed then 0 else 1)
