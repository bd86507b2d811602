type ended = { code : int; out : string; err : string }

let here = Filename.dirname Sys.executable_name
let program name = Filename.concat here name
let weft = Filename.concat here "../../bin/main.exe"
let seconds = 60.

let in_folder f =
  let dir = Filename.temp_dir "weft-test-trace-" "" in
  let rec remove dir =
    Array.iter
      (fun name ->
        let path = Filename.concat dir name in
        try if Sys.is_directory path then remove path else Sys.remove path with Sys_error _ -> ())
      (Sys.readdir dir);
    Sys.rmdir dir
  in
  Fun.protect ~finally:(fun () -> remove dir) (fun () -> f dir)

type running = { pid : int; out : string; err : string; mutable ended : Unix.process_status option }

let contents path = In_channel.with_open_bin path In_channel.input_all

let start ?(environment = []) ?(program = weft) arguments =
  let file suffix = Filename.temp_file "weft-test-trace-" suffix in
  let out = file ".out" and err = file ".err" in
  let opened path = Unix.openfile path [ O_WRONLY; O_TRUNC; O_CLOEXEC ] 0o600 in
  let out_fd = opened out and err_fd = opened err in
  let ours entry = List.exists (fun (name, _) -> String.starts_with ~prefix:(name ^ "=") entry) environment in
  let inherited = List.filter (fun entry -> not (ours entry)) (Array.to_list (Unix.environment ())) in
  let environment = Array.of_list (inherited @ List.map (fun (n, v) -> n ^ "=" ^ v) environment) in
  let nothing = Unix.openfile "/dev/null" [ O_RDONLY; O_CLOEXEC ] 0 in
  let pid =
    Unix.create_process_env program (Array.of_list (program :: arguments)) environment nothing out_fd err_fd
  in
  List.iter Unix.close [ out_fd; err_fd; nothing ];
  let r = { pid; out; err; ended = None } in
  at_exit (fun () -> if r.ended = None then try Unix.kill pid Sys.sigkill with Unix.Unix_error _ -> ());
  r

let pid r = r.pid
let signal r s = if r.ended = None then Unix.kill r.pid s

let within what condition =
  let until = Unix.gettimeofday () +. seconds in
  let rec wait () =
    if not (condition ()) then
      if Unix.gettimeofday () > until then Alcotest.fail ("took too long: " ^ what)
      else begin
        Unix.sleepf 0.005;
        wait ()
      end
  in
  wait ()

let has_ended r =
  (if r.ended = None then
     match Unix.waitpid [ WNOHANG ] r.pid with 0, _ -> () | _, status -> r.ended <- Some status);
  r.ended <> None

let wait_for_output r text =
  within text (fun () ->
      String.starts_with ~prefix:text (contents r.out)
      || (has_ended r && Alcotest.fail ("it has ended: " ^ contents r.err)))

let finish r =
  (try within "the end" (fun () -> has_ended r)
   with exn ->
     signal r Sys.sigkill;
     raise exn);
  let code =
    match r.ended with
    | Some (WEXITED code) -> code
    | Some (WSIGNALED signal) -> 128 + Weft_insight_trace.Program.number_of_signal signal
    | _ -> -1
  in
  let ended : ended = { code; out = contents r.out; err = contents r.err } in
  Sys.remove r.out;
  Sys.remove r.err;
  ended

let run ?environment arguments = finish (start ?environment arguments)
