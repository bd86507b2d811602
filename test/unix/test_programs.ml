(* What needs a program of its own: this one starts itself again, with the name of a test. *)
module Watchdog = Testing.Watchdog
module Child = Testing.Child

let check what holds = if not holds then failwith what
let sleep () = Unix.create_process "sleep" [| "sleep"; "1000" |] Unix.stdin Unix.stdout Unix.stderr

(* --- a child that runs as another user --- *)

let may_not_be_killed () =
  Weft.run ~domains:1 @@ fun () ->
  let pid = sleep () and other = sleep () in
  Printf.printf "%d %d\n%!" pid other;
  Unix.setuid 65534;
  let refused f =
    match f () with
    | (_ : Unix.process_status) -> failwith "it was stopped"
    | exception Unix.Unix_error (EPERM, _, _) -> ()
  in
  refused (fun () -> Weft_unix.stop pid);
  refused (fun () -> Weft_unix.stop ~grace:Float.infinity pid);
  refused (fun () -> Weft.Cancel.with_timeout 3600. (fun () -> Weft_unix.stop other))

(* --- a program without descriptors 0, 1 and 2 --- *)

let no_descriptors path =
  let text = String.make 100_000 'x' in
  let results =
    Weft.run ~domains:1 @@ fun () ->
    List.map
      (fun closed ->
        List.iter Unix.close closed;
        let c = Weft_unix.run ~stdin:text [ "cat" ] and e = Weft_unix.run [ "sh"; "-c"; "cat; echo e >&2" ] in
        c.status = WEXITED 0 && c.stdout = text && c.stderr = "" && e.stdout = "" && e.stderr = "e\n")
      [ [ Unix.stdin ]; [ Unix.stdout ]; [ Unix.stderr ] ]
  in
  Out_channel.with_open_bin path (fun file -> if List.for_all Fun.id results then output_string file "right")

(* --- a program that has no children to wait for --- *)

let ignores_children () =
  Sys.set_signal Sys.sigchld Signal_ignore;
  Weft.run ~domains:1 @@ fun () ->
  match Weft_unix.run [ "true" ] with
  | _ -> failwith "it has a status"
  | exception Unix.Unix_error (ECHILD, _, _) -> ()

(* --- the end of the program --- *)

let ends group path =
  let line = Printf.sprintf "sleep 1000 & echo $! > %s; wait" path in
  let line = if group then line else Printf.sprintf "echo $$ > %s; exec sleep 1000" path in
  let run () = Weft_unix.run ~group [ "sh"; "-c"; line ] in
  ignore (Weft.async run : Weft_unix.completed Weft.promise);
  Watchdog.until "it runs, and is waited for" (fun () ->
      (Unix.stat path).st_size > 0 && Weft_platform.Poller.waits () > 0);
  exit 0

(* --- here --- *)

(* One that becomes another user may not write down how long it took. *)
let self arguments = Child.run ~env:[ ("WEFT_TEST_TIMES", "") ] Sys.executable_name arguments

let succeeds what (r : Child.ended) =
  if r.code <> 0 then failwith (Printf.sprintf "%s: code %d: %s%s" what r.code r.out r.err)

let test_may_not_be_killed () =
  if Unix.getuid () = 0 then begin
    let r = self [ "may not be killed" ] in
    String.split_on_char ' ' (String.trim r.out)
    |> List.iter (fun pid -> Unix.kill (int_of_string pid) Sys.sigkill);
    succeeds "a child that may not be killed" r
  end

let test_no_descriptors () =
  Child.with_temp_file @@ fun path ->
  succeeds "no descriptors" (self [ "no descriptors"; path ]);
  check "what the programs read and wrote" (In_channel.with_open_bin path In_channel.input_all = "right")

(* A zombie, too, where nobody reaps orphans. *)
let is_gone pid =
  match In_channel.with_open_bin (Printf.sprintf "/proc/%d/stat" pid) In_channel.input_all with
  | stat -> Testing.Text.contains ") Z " stat
  | exception Sys_error _ -> true

let test_end group () =
  Child.with_temp_file @@ fun path ->
  succeeds "the end" (self [ (if group then "ends with a group" else "ends"); path ]);
  let pid = int_of_string (String.trim (In_channel.with_open_bin path In_channel.input_all)) in
  Watchdog.until "it is gone" (fun () -> is_gone pid)

let () =
  match Sys.argv with
  | [| _; "may not be killed" |] -> Watchdog.guard "a child that may not be killed" may_not_be_killed
  | [| _; "no descriptors"; path |] -> Watchdog.guard "no descriptors" (fun () -> no_descriptors path)
  | [| _; "ignores children" |] -> Watchdog.guard "SIGCHLD is ignored" ignores_children
  | [| _; "ends"; path |] -> Watchdog.guard "the end" (fun () -> ends false path)
  | [| _; "ends with a group"; path |] -> Watchdog.guard "the end of a group" (fun () -> ends true path)
  | _ ->
      Watchdog.guard "a child that may not be killed" test_may_not_be_killed;
      Watchdog.guard "no descriptors" test_no_descriptors;
      Watchdog.guard "SIGCHLD is ignored" (fun () -> succeeds "SIGCHLD" (self [ "ignores children" ]));
      Watchdog.guard "the end" (test_end false);
      Watchdog.guard "the end of a group" (test_end true)
