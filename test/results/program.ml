let path = ref ""

type ended = { code : int; out : string; err : string }

let rec wait_until deadline pid =
  match Unix.waitpid [ WNOHANG ] pid with
  | 0, _ when Unix.gettimeofday () > deadline ->
      Unix.kill pid Sys.sigkill;
      ignore (Unix.waitpid [] pid);
      Alcotest.fail "it does not end"
  | 0, _ ->
      Unix.sleepf 0.005;
      wait_until deadline pid
  | _, WEXITED code -> code
  | _, (WSIGNALED signal | WSTOPPED signal) -> signal
  | exception Unix.Unix_error (EINTR, _, _) -> wait_until deadline pid

(* Both streams go to files: nobody has to read while it runs. *)
let run ?(input = "/dev/null") arguments =
  let out = Filename.temp_file "results" ".out" and err = Filename.temp_file "results" ".err" in
  let finally () = List.iter Sys.remove [ out; err ] in
  Fun.protect ~finally @@ fun () ->
  let target file = Unix.openfile file [ O_WRONLY; O_TRUNC; O_CLOEXEC ] 0 in
  let source = Unix.openfile input [ O_RDONLY; O_CLOEXEC ] 0 in
  let to_out = target out and to_err = target err in
  let pid = Unix.create_process !path (Array.of_list (!path :: arguments)) source to_out to_err in
  List.iter Unix.close [ source; to_out; to_err ];
  let code = wait_until (Unix.gettimeofday () +. 60.) pid in
  let read path = In_channel.with_open_bin path In_channel.input_all in
  { code; out = read out; err = read err }
