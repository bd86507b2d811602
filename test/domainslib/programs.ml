(* Runs every program of an executable of bench/compat and compares what it prints with expected/NAME.txt.

   programs.exe EXECUTABLE DOMAINS,... *)

let read path = In_channel.with_open_bin path In_channel.input_all

let with_temp_file f =
  let path = Filename.temp_file "program" "" in
  Fun.protect ~finally:(fun () -> Sys.remove path) (fun () -> f path)

let rec wait_until deadline process =
  match Unix.waitpid [ WNOHANG ] process with
  | 0, _ when Unix.gettimeofday () > deadline ->
      Unix.kill process Sys.sigkill;
      ignore (Unix.waitpid [] process);
      None
  | 0, _ ->
      Unix.sleepf 0.002;
      wait_until deadline process
  | _, status -> Some status

(* Standard output and error together. *)
let run executable arguments =
  with_temp_file @@ fun out ->
  let target = Unix.openfile out [ O_WRONLY; O_CLOEXEC ] 0
  and nothing = Unix.openfile "/dev/null" [ O_RDONLY; O_CLOEXEC ] 0 in
  let argv = Array.of_list (executable :: arguments) in
  let process = Unix.create_process executable argv nothing target target in
  List.iter Unix.close [ target; nothing ];
  match wait_until (Unix.gettimeofday () +. 60.) process with
  | None -> Alcotest.failf "%s does not end" (String.concat " " arguments)
  | Some (WEXITED 0) -> read out
  | Some _ -> Alcotest.failf "%s failed: %s" (String.concat " " arguments) (read out)

let names executable =
  let name line = List.hd (String.split_on_char ' ' line) in
  List.map name (List.filter (( <> ) "") (String.split_on_char '\n' (run executable [ "list" ])))

let case executable domains name =
  let prints_what_is_expected domains =
    let expected = read (Printf.sprintf "expected/%s.txt" name) in
    Alcotest.(check string) (domains ^ " domains") expected (run executable [ "run"; name; domains ])
  in
  Alcotest.test_case (name ^ " prints what it prints with domainslib") `Quick (fun () ->
      List.iter prints_what_is_expected domains)

let () =
  let executable = Sys.argv.(1) and domains = String.split_on_char ',' Sys.argv.(2) in
  Alcotest.run ~argv:[| "programs"; "--compact" |] executable
    [ ("programs", List.map (case executable domains) (names executable)) ]
