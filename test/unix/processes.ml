open Helpers
module Cancel = Weft.Cancel

let exited n (c : Weft_unix.completed) = c.status = WEXITED n
let sh line = [ "sh"; "-c"; line ]

let outcome () =
  on_each_size @@ fun () ->
  let c = Weft_unix.run (sh "echo out; echo err >&2; exit 3") in
  check_string "stdout" "out\n" c.stdout;
  check_string "stderr" "err\n" c.stderr;
  check "status" (exited 3 c);
  let c = Weft_unix.run (sh "kill -9 $$") in
  check "signal" (c.status = WSIGNALED Sys.sigkill)

let megabyte = String.init 1_000_000 (fun i -> Char.chr (i * 7 land 255))

let input () =
  on_each_size @@ fun () ->
  let c = Weft_unix.run ~stdin:megabyte [ "cat" ] in
  check "all of it" (String.equal c.stdout megabyte);
  check "no input" (exited 0 (Weft_unix.run [ "cat" ]));
  (* It does not read it. *)
  check "not read" (exited 0 (Weft_unix.run ~stdin:megabyte [ "true" ]))

let environment () =
  on_each_size @@ fun () ->
  let c = Weft_unix.run ~env:[| "PATH=" ^ Sys.getenv "PATH"; "X=7" |] (sh "echo $X") in
  check_string "stdout" "7\n" c.stdout;
  (* The program is looked for in ours. *)
  check "another PATH" (exited 0 (Weft_unix.run ~env:[| "PATH=/nowhere" |] [ "true" ]))

let not_there () =
  on_each_size @@ fun () ->
  fails "run" [ ENOENT ] (fun () -> Weft_unix.run [ "/nowhere/program" ]);
  fails "run" [ ENOENT ] (fun () -> Weft_unix.run [ "weft-no-such-program" ]);
  fails "run" [ ENOENT ] (fun () -> Weft_unix.run [ "" ]);
  Testing.Child.with_temp_file @@ fun path ->
  Out_channel.with_open_bin path (fun file -> output_string file "true\n");
  fails "not executable" [ EACCES ] (fun () -> Weft_unix.run [ path ]);
  Unix.chmod path 0o700;
  fails "a script without its first line" [ ENOEXEC ] (fun () -> Weft_unix.run [ path ])

let no_child () =
  on_each_size @@ fun () -> fails "waitpid" [ ECHILD ] (fun () -> Weft_unix.waitpid (Unix.getpid ()))

let is_there pid = match Unix.kill pid 0 with () -> true | exception Unix.Unix_error (ESRCH, _, _) -> false

(* [line] writes its process number into the file first. *)
let number path = int_of_string (String.trim (In_channel.with_open_bin path In_channel.input_all))
let has_number path = match number path with _ -> true | exception Failure _ -> false

(* The time-out kills it, and it is no zombie: its number is free. *)
let timed_out_child ?grace line () =
  on_each_size @@ fun () ->
  Testing.Child.with_temp_file @@ fun path ->
  let line = Printf.sprintf "echo $$ > %s; %s" path line in
  (* Until the time-out did not come before the program. *)
  let rec attempt timeout =
    (match Weft_unix.run ~timeout ?grace (sh line) with
    | _ -> Alcotest.fail "it ended by itself"
    | exception Weft_unix.Timed_out _ -> ());
    if has_number path then check "it is gone" (not (is_there (number path))) else attempt (2. *. timeout)
  in
  attempt 0.1

let cancelled_child () =
  on_each_size @@ fun () ->
  Testing.Child.with_temp_file @@ fun path ->
  let token = Cancel.create () in
  let line = Printf.sprintf "echo $$ > %s; exec sleep 1000" path in
  let task = waiting (fun () -> Cancel.within token (fun () -> Weft_unix.run (sh line))) in
  yield_until "it runs" (fun () -> has_number path);
  Cancel.cancel token;
  (match Weft.await task with _ -> Alcotest.fail "it ended by itself" | exception Cancel.Cancelled _ -> ());
  check "it is gone" (not (is_there (number path)))

(* TERM does not end it: only the second step does. *)
let stubborn_in_a_closed_pool () =
  List.iter
    (fun domains ->
      Testing.Child.with_temp_file @@ fun path ->
      let p = Weft.Pool.create ~domains () in
      let line = Printf.sprintf "trap '' TERM; echo $$ > %s; while :; do sleep 0.01; done" path in
      let task =
        Weft.Pool.async p (fun () ->
            match Weft_unix.run ~grace:0.05 (sh line) with
            | _ -> "it ended by itself"
            | exception Weft.Pool.Closed _ -> "closed")
      in
      until "it runs" (fun () -> has_number path);
      Weft.Pool.close p;
      check_string "outcome" "closed" (Weft.await task);
      check "it is gone" (not (is_there (number path))))
    sizes

(* However long it may take to end. *)
let endless_grace_in_a_closed_pool () =
  List.iter
    (fun domains ->
      Testing.Child.with_temp_file @@ fun path ->
      let p = Weft.Pool.create ~domains () in
      let line =
        Printf.sprintf "trap 'sleep 0.3; exit' TERM; echo $$ > %s; while :; do sleep 0.01; done" path
      in
      let task =
        Weft.Pool.async p (fun () ->
            match Weft_unix.run ~grace:Float.infinity (sh line) with
            | _ -> "it ended by itself"
            | exception Weft.Pool.Closed _ -> "closed")
      in
      until "it runs" (fun () -> has_number path);
      Weft.Pool.close p;
      check_string "outcome" "closed" (Weft.await task);
      check "it is gone" (not (is_there (number path))))
    sizes

(* What the program has started keeps its output open. *)
let grandchild () =
  on_each_size @@ fun () ->
  Testing.Child.with_temp_file @@ fun path ->
  let token = Cancel.create () in
  let line = Printf.sprintf "sleep 1000 & echo $! > %s" path in
  let task = waiting (fun () -> Cancel.within token (fun () -> Weft_unix.run (sh line))) in
  yield_until "it runs" (fun () -> has_number path);
  Cancel.cancel token;
  (match Weft.await task with
  | _ -> Alcotest.fail "its output was closed"
  | exception Cancel.Cancelled _ -> ());
  Unix.kill (number path) Sys.sigkill

(* A zombie, too, where nobody reaps orphans. *)
let is_gone pid =
  match In_channel.with_open_bin (Printf.sprintf "/proc/%d/stat" pid) In_channel.input_all with
  | stat -> Testing.Text.contains ") Z " stat
  | exception Sys_error _ -> true

(* All that the program has started is stopped with it, though that ignores SIGTERM. *)
let stopped_group line () =
  on_each_size @@ fun () ->
  Testing.Child.with_temp_file @@ fun path ->
  let token = Cancel.create () in
  let line = Printf.sprintf "(%s) & echo $! > %s; wait" line path in
  let run () = Weft_unix.run ~group:true ~grace:0.2 (sh line) in
  let task = waiting (fun () -> Cancel.within token run) in
  yield_until "it runs" (fun () -> has_number path);
  Cancel.cancel token;
  (match Weft.await task with _ -> Alcotest.fail "it ended by itself" | exception Cancel.Cancelled _ -> ());
  yield_until "what it has started is gone" (fun () -> is_gone (number path))

(* The program has ended, and what it has started keeps its output open. *)
let group_without_its_leader () =
  on_each_size @@ fun () ->
  Testing.Child.with_temp_file @@ fun path ->
  let line = Printf.sprintf "sleep 1000 & echo $! > %s" path in
  let rec attempt timeout =
    match Weft_unix.run ~timeout ~group:true ~grace:0.2 (sh line) with
    | _ -> Alcotest.fail "its output was closed"
    | exception Weft_unix.Timed_out c ->
        if c.status = WEXITED 0 then yield_until "it is gone" (fun () -> is_gone (number path))
        else attempt (2. *. timeout)
  in
  attempt 0.1

(* Nothing is stopped when the program has ended by itself. *)
let group_goes_on () =
  on_each_size @@ fun () ->
  let c = Weft_unix.run ~group:true (sh "sleep 1000 > /dev/null 2>&1 & echo $!") in
  check "status" (exited 0 c);
  let pid = int_of_string (String.trim c.stdout) in
  check "it goes on" (not (is_gone pid));
  Unix.kill pid Sys.sigkill

(* What it wrote until the time-out, and when it was stopped. *)
let output_of_a_time_out () =
  on_each_size @@ fun () ->
  let line = "trap 'echo bye; exit 3' TERM; echo err >&2; echo out; while :; do sleep 0.01; done" in
  let rec attempt timeout =
    match Weft_unix.run ~timeout ~grace:1000. (sh line) with
    | _ -> Alcotest.fail "it ended by itself"
    | exception Weft_unix.Timed_out { stdout = ""; _ } -> attempt (2. *. timeout)
    | exception Weft_unix.Timed_out c ->
        check_string "stdout" "out\nbye\n" c.stdout;
        check_string "stderr" "err\n" c.stderr;
        check "status" (exited 3 c)
  in
  attempt 0.1

let stopped () =
  on_each_size @@ fun () ->
  let start line = Unix.create_process "sh" [| "sh"; "-c"; line |] Unix.stdin Unix.stdout Unix.stderr in
  check "TERM" (Weft_unix.stop ~grace:1000. (start "exec sleep 1000") = WSIGNALED Sys.sigterm);
  Testing.Child.with_temp_file @@ fun path ->
  let pid = start (Printf.sprintf "trap '' TERM; echo $$ > %s; while :; do sleep 0.01; done" path) in
  yield_until "it runs" (fun () -> has_number path);
  check "KILL" (Weft_unix.stop ~grace:0.01 pid = WSIGNALED Sys.sigkill)

(* All of them run at once, and the two domains go on. *)
let crowd () =
  let n = 200 in
  Testing.Child.with_temp_file @@ fun log ->
  Testing.Child.with_temp_file @@ fun gate ->
  Sys.remove gate;
  Unix.mkfifo gate 0o600;
  Weft.run ~domains:2 @@ fun () ->
  let fd = Unix.openfile gate [ O_RDWR; O_CLOEXEC ] 0 in
  let line i = sh (Printf.sprintf "echo x >> %s; read x < %s; echo %d" log gate i) in
  let runs = List.init n (fun i -> Weft.async (fun () -> Weft_unix.run (line i))) in
  yield_until "all run" (fun () -> (Unix.stat log).st_size = 2 * n);
  let a, b = Weft.par (fun () -> 1) (fun () -> 2) in
  check_int "domains go on" 3 (a + b);
  Weft_unix.write_string fd (String.make n '\n');
  List.iteri
    (fun i run ->
      let c = Weft.await run in
      check_string "output" (Printf.sprintf "%d\n" i) c.Weft_unix.stdout)
    runs;
  Weft_unix.close fd

let handlers_stay () =
  let came = Atomic.make false in
  let was = Sys.signal Sys.sigchld (Signal_handle (fun _ -> Atomic.set came true)) in
  Fun.protect ~finally:(fun () -> Sys.set_signal Sys.sigchld was) @@ fun () ->
  check "status" (Weft.run ~domains:2 (fun () -> exited 0 (Weft_unix.run [ "true" ])));
  until "the program's handler runs" (fun () -> Atomic.get came)

(* Nothing runs here meanwhile, and no timer is set. *)
let no_deadlock () =
  Testing_pools.Deadlocks.detecting @@ fun () ->
  on_each_size @@ fun () ->
  check "status" (exited 0 (Weft_unix.run (sh "sleep 0.05")));
  let pid = Unix.create_process "sleep" [| "sleep"; "0.05" |] Unix.stdin Unix.stdout Unix.stderr in
  check "status" (Weft_unix.waitpid pid = WEXITED 0)

let cases =
  [
    ("no deadlock", no_deadlock);
    ("the outcome", outcome);
    ("input", input);
    ("the environment", environment);
    ("no such program", not_there);
    ("no child", no_child);
    ("a time-out ends the child", timed_out_child "exec sleep 1000");
    ("a time-out kills the child", timed_out_child ~grace:0.05 "trap '' TERM; while :; do sleep 0.01; done");
    ("cancellation ends the child", cancelled_child);
    ("a closed pool kills the child", stubborn_in_a_closed_pool);
    ("a closed pool waits for the child", endless_grace_in_a_closed_pool);
    ("what the child has started", grandchild);
    ("a group is stopped", stopped_group "sleep 1000");
    ("a group is killed", stopped_group "trap '' TERM; while :; do sleep 0.01; done");
    ("a group whose leader has ended", group_without_its_leader);
    ("a group goes on", group_goes_on);
    ("the output until a time-out", output_of_a_time_out);
    ("stop", stopped);
    ("200 at a time on 2 domains", crowd);
    ("handlers of SIGCHLD stay", handlers_stay);
  ]

(* Waits that are given up leave no thread each. *)
let one_thread () =
  let name t =
    try In_channel.with_open_bin ("/proc/self/task/" ^ t ^ "/comm") In_channel.input_all
    with Sys_error _ -> ""
  in
  let threads () =
    List.length
      (List.filter (fun t -> name t = "weft-child\n") (Array.to_list (Sys.readdir "/proc/self/task")))
  in
  let most = Atomic.make 0 in
  ( Weft.run ~domains:2 @@ fun () ->
    let pid = Unix.create_process "sleep" [| "sleep"; "1000" |] Unix.stdin Unix.stdout Unix.stderr in
    for _ = 1 to 20 do
      match Weft_unix.waitpid ~timeout:0.001 pid with
      | _ -> Alcotest.fail "it ended by itself"
      | exception Cancel.Timeout -> Atomic.set most (max (Atomic.get most) (threads ()))
    done;
    check "status" (Weft_unix.stop ~grace:1000. pid = WSIGNALED Sys.sigterm) );
  check "at most one thread" (Atomic.get most <= 1);
  until "it has ended" (fun () -> threads () = 0)

let without_descriptors test () =
  let set = Atomic.set Weft_platform.Descriptor.without_process_descriptors in
  set true;
  Fun.protect ~finally:(fun () -> set false) test

let with_descriptors = ("processes", List.map (fun (name, test) -> case name (leaves_nothing test)) cases)

let with_threads =
  ( "processes: threads",
    List.map
      (fun (name, test) -> case (name ^ ", by threads") (leaves_nothing (without_descriptors test)))
      (("one thread for a child", one_thread) :: cases) )
