let path = ref ""

type ended = { code : int; out : string; err : string }

let read path = try In_channel.with_open_bin path In_channel.input_all with Sys_error _ -> ""

let eventually what f =
  let rec again tries =
    match f () with
    | Some x -> x
    | None when tries = 0 -> Alcotest.failf "not in time: %s" what
    | None ->
        Unix.sleepf 0.01;
        again (tries - 1)
  in
  again 2_000

let rec wait_until deadline pid =
  match Unix.waitpid [ WNOHANG ] pid with
  | 0, _ when Unix.gettimeofday () > deadline ->
      Unix.kill pid Sys.sigkill;
      ignore (Unix.waitpid [] pid);
      Alcotest.fail "it does not end"
  | 0, _ ->
      Unix.sleepf 0.01;
      wait_until deadline pid
  | _, WEXITED code -> code
  | _, (WSIGNALED signal | WSTOPPED signal) -> signal
  | exception Unix.Unix_error (EINTR, _, _) -> wait_until deadline pid

(* Both streams go to files: nobody has to read while it runs. *)
let run ?(env = []) ?(while_running = ignore) arguments =
  let out = Filename.temp_file "elastic" ".out" and err = Filename.temp_file "elastic" ".err" in
  let target file = Unix.openfile file [ O_WRONLY; O_TRUNC; O_CLOEXEC ] 0 in
  let to_out = target out and to_err = target err in
  let env = Array.append (Array.of_list env) (Unix.environment ()) in
  let argv = Array.of_list (!path :: arguments) in
  let pid = Unix.create_process_env !path argv env Unix.stdin to_out to_err in
  List.iter Unix.close [ to_out; to_err ];
  let finally () = List.iter Sys.remove [ out; err ] in
  Fun.protect ~finally @@ fun () ->
  (match while_running pid with
  | () -> ()
  | exception e ->
      Unix.kill pid Sys.sigterm;
      ignore (wait_until (Unix.gettimeofday () +. 10.) pid : int);
      raise e);
  let code = wait_until (Unix.gettimeofday () +. 120.) pid in
  { code; out = read out; err = read err }

(* The state and the parent stand behind the name, which may have anything in it but is in brackets. *)
let state_and_parent pid =
  let stat = read (Printf.sprintf "/proc/%d/stat" pid) in
  match String.rindex_opt stat ')' with
  | None -> None
  | Some i ->
      Scanf.sscanf_opt (String.sub stat (i + 1) (String.length stat - i - 1)) " %c %d" (fun s p -> (s, p))

let is_alive pid = match state_and_parent pid with None | Some ('Z', _) -> false | Some _ -> true

let children parent =
  let pids = List.filter_map int_of_string_opt (Array.to_list (Sys.readdir "/proc")) in
  let is_child pid =
    match state_and_parent pid with Some (s, p) -> s <> 'Z' && p = parent | None -> false
  in
  List.filter is_child pids

let command_line pid =
  List.filter (( <> ) "") (String.split_on_char '\000' (read (Printf.sprintf "/proc/%d/cmdline" pid)))

let ends pid =
  let rec again tries =
    (not (is_alive pid))
    || tries > 0
       &&
       (Unix.sleepf 0.01;
        again (tries - 1))
  in
  again 1_000

let groups pid =
  let prefix = Printf.sprintf "weft-bench-%d-" pid in
  let within directory =
    match Sys.readdir directory with
    | exception Sys_error _ -> []
    | names -> List.filter (String.starts_with ~prefix) (Array.to_list names)
  in
  List.concat_map within (Weft_bench_elastic.Cpu_group.directories ())
