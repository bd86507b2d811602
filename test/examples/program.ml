type answer = { code : int; out : string; err : string }

let path name = Filename.concat (Sys.getcwd ()) (Printf.sprintf "../../examples/%s/%s.exe" name name)

let contains text part =
  let n = String.length part in
  let rec at i = i + n <= String.length text && (String.sub text i n = part || at (i + 1)) in
  at 0

let lines text = List.filter (( <> ) "") (String.split_on_char '\n' text)

let with_temp_file f =
  let path = Filename.temp_file "example" "" in
  Fun.protect ~finally:(fun () -> Sys.remove path) (fun () -> f path)

let in_file text f =
  with_temp_file (fun path ->
      Out_channel.with_open_bin path (fun channel -> output_string channel text);
      f path)

let read path = In_channel.with_open_bin path In_channel.input_all

let environment env =
  let is_set binding = List.exists (fun (name, _) -> String.starts_with ~prefix:(name ^ "=") binding) env in
  List.filter (fun binding -> not (is_set binding)) (Array.to_list (Unix.environment ()))
  @ List.map (fun (name, value) -> name ^ "=" ^ value) env

let rec wait_until ~deadline process =
  match Unix.waitpid [ WNOHANG ] process with
  | 0, _ when Unix.gettimeofday () > deadline ->
      Unix.kill process Sys.sigkill;
      ignore (Unix.waitpid [] process);
      None
  | 0, _ ->
      Unix.sleepf 0.002;
      wait_until ~deadline process
  | _, status -> Some status

let run ?(env = []) ?(stdin = "/dev/null") ?(stdout = `Taken) ?(seconds = 60.) name arguments =
  with_temp_file @@ fun out ->
  with_temp_file @@ fun err ->
  (* Only a shell can start a program with a closed standard output. *)
  let closing = match stdout with `Closed -> " >&-" | `Taken | `To _ -> "" in
  let command = "exec " ^ Filename.quote_command (path name) arguments ^ closing in
  let from = Unix.openfile stdin [ O_RDONLY; O_CLOEXEC ] 0
  and out_fd =
    Unix.openfile (match stdout with `To file -> file | `Taken | `Closed -> out) [ O_WRONLY; O_CLOEXEC ] 0
  and err_fd = Unix.openfile err [ O_WRONLY; O_CLOEXEC ] 0 in
  let process =
    Unix.create_process_env "/bin/sh" [| "sh"; "-c"; command |]
      (Array.of_list (environment env))
      from out_fd err_fd
  in
  List.iter Unix.close [ from; out_fd; err_fd ];
  match wait_until ~deadline:(Unix.gettimeofday () +. seconds) process with
  | None -> Alcotest.failf "%s did not end within %g s; standard error: %S" command seconds (read err)
  | Some status ->
      let code = match status with WEXITED code -> code | WSIGNALED n | WSTOPPED n -> 1000 + n in
      { code; out = read out; err = read err }

let check_answer what expected found =
  Alcotest.(check (triple int string string))
    what
    (expected.code, expected.out, expected.err)
    (found.code, found.out, found.err)

let check_one_line what ~code parts answer =
  Alcotest.(check (pair int string)) what (code, "") (answer.code, answer.out);
  Alcotest.(check int) (what ^ ": lines on standard error") 1 (List.length (lines answer.err));
  List.iter
    (fun part ->
      if not (contains answer.err part) then Alcotest.failf "%s: %S is not in %S" what part answer.err)
    parts

let check_refused name arguments =
  let what = String.concat " " (name :: arguments) in
  let answer = run name arguments in
  Alcotest.(check (pair int string)) what (124, "") (answer.code, answer.out);
  Alcotest.(check bool) (what ^ ": says who") true (String.starts_with ~prefix:(name ^ ": ") answer.err)

let check_unwritable name arguments =
  let check what stdout =
    check_one_line what ~code:2 [ name ^ ": cannot write the result: " ] (run ~stdout name arguments)
  in
  check "closed" `Closed;
  if Sys.file_exists "/dev/full" then check "full" (`To "/dev/full")
