open Testing

(* Runs the subject with variables set; if [signal] is given, sends it when the subject says that it is
   ready. *)
let run ?(under = []) ?env ?signal ?rounds name =
  let without variable =
    String.starts_with ~prefix:"WEFT_" variable || List.mem variable [ "OCAMLRUNPARAM"; "CAMLRUNPARAM" ]
  in
  let command = under @ [ "./subject.exe"; name ] @ Option.to_list (Option.map string_of_int rounds) in
  let child = Child.start ?env ~without (List.hd command) (List.tl command) in
  Option.iter
    (fun signal ->
      Child.wait_for_output child "ready\n";
      Child.signal child signal)
    signal;
  Child.finish child

let expect what (e : Child.ended) ~out ~code =
  if e.out <> out || e.code <> code then Printf.printf "exit code %d, standard error:\n%s\n" e.code e.err;
  Alcotest.(check string) (what ^ ": output") out e.out;
  Alcotest.(check int) (what ^ ": exit code") code e.code

let silent what (e : Child.ended) = Alcotest.(check string) (what ^ ": standard error") "" e.err

let one_line what part (e : Child.ended) =
  Alcotest.(check int) (what ^ ": lines on standard error") 1 (List.length (Text.lines e.err));
  Alcotest.(check bool) (what ^ ": says " ^ part ^ ", in: " ^ e.err) true (Text.contains part e.err)

let sizes_from_the_environment () =
  let e = run ~env:[ ("WEFT_DOMAINS", "5") ] "domains" in
  expect "5" e ~out:"5\n" ~code:0;
  silent "5" e;
  List.iter
    (fun bad ->
      let e = run ~env:[ ("WEFT_DOMAINS", bad) ] "domains" in
      Alcotest.(check int) "exit code" 0 e.code;
      one_line bad "WEFT_DOMAINS" e)
    [ "0"; "-1"; "many"; "129"; "99999999999999999999"; "2.5"; "nan" ]

let fence_modes () =
  List.iter
    (fun mode ->
      let e = run ~env:[ ("WEFT_FENCE", mode) ] "fib" in
      expect mode e ~out:"6765\n" ~code:0;
      silent mode e)
    [ "owner"; "thief"; "" ];
  let e = run ~env:[ ("WEFT_FENCE", "both") ] "fib" in
  expect "both" e ~out:"6765\n" ~code:0;
  one_line "both" "WEFT_FENCE=both" e

let unawaited_is_printed () =
  let e = run ~env:[ ("OCAMLRUNPARAM", "b") ] "unawaited" in
  expect "unawaited" e ~out:"main ends\n" ~code:0;
  Alcotest.(check bool) "the exception" true (Text.contains "forgotten" e.err);
  Alcotest.(check bool) "with its backtrace" true (Text.contains "subject.ml" e.err);
  (* Once. *)
  let times = List.length (List.filter (Text.contains "forgotten") (Text.lines e.err)) in
  Alcotest.(check int) "times" 1 times

(* An assertion that fails where nobody looks fails the program, however it ends. *)
let unawaited_changes_the_code () =
  let check ?(is_told = true) name ~out ~code =
    let e = run name in
    expect name e ~out ~code;
    Alcotest.(check bool) (name ^ ": is told") is_told (Text.contains "Assertion failed" e.err)
  in
  let ends = "main ends\nthe domain's at_exit\n" in
  check "uncaught-code" ~out:ends ~code:3;
  check "uncaught-code-exit" ~out:ends ~code:3;
  check "uncaught-code-raise" ~out:ends ~code:3;
  Alcotest.(check bool) "main's exception" true (Text.contains "main fails" (run "uncaught-code-raise").err);
  check "uncaught-code-at-exit" ~out:"the program's at_exit\nmain ends\n" ~code:3;
  check "uncaught-code-awaited" ~is_told:false ~out:"main ends\n" ~code:0;
  check "uncaught-code-own" ~is_told:false ~out:ends ~code:0;
  check "uncaught-code-default" ~out:(ends ^ "the program's handler\n") ~code:3;
  check "uncaught-code-off" ~out:ends ~code:0

let exits () =
  expect "while a task is busy" (run ~env:[ ("WEFT_DOMAINS", "2") ] "exit-while-busy") ~out:"6765\n" ~code:0;
  expect "while a task is busy, no other domain"
    (run ~env:[ ("WEFT_DOMAINS", "1") ] "exit-while-busy")
    ~out:"6765\n" ~code:0;
  expect "in a task" (run ~env:[ ("WEFT_DOMAINS", "3") ] "exit-in-task") ~out:"" ~code:7;
  expect "in a worker" (run "exit-in-worker") ~out:"" ~code:8;
  let e = run "uncaught-in-main" in
  Alcotest.(check int) "exit code" 2 e.code;
  Alcotest.(check bool) "the exception" true (Text.contains "seen by main" e.err)

let spawn_failures () =
  (* OCaml's limit of domains, made small: tried at every possible number. *)
  List.iter
    (fun limit ->
      (* All domains are asked for at once, on any machine. *)
      let env = [ ("OCAMLRUNPARAM", Printf.sprintf "d=%d" limit); ("WEFT_PROCESSORS", "3") ] in
      let e = run ~env "spawn-limit" in
      expect (Printf.sprintf "limit %d" limit) e ~out:"144 144 144 55 55 55 144\n" ~code:0;
      if limit < 7 then one_line (Printf.sprintf "limit %d" limit) "domains could be started" e)
    [ 1; 2; 3; 4; 5; 6; 7; 8; 16 ]

let interrupts () =
  expect "while waiting" (run ~signal:Sys.sigint "interrupt") ~out:"ready\ninterrupted\n" ~code:9;
  expect "while busy" (run ~signal:Sys.sigint "interrupt-busy") ~out:"ready\ninterrupted\n" ~code:9

let start name = Child.start "./subject.exe" [ name ]

(* The first signal cancels; the blocking call under way is awaited; at the second signal the caller
   leaves. *)
let interrupts_twice () =
  let child = start "interrupt-blocked" in
  Child.wait_for_output child "ready\n";
  Child.signal child Sys.sigint;
  Child.wait_for_output child "cancelled\n";
  Child.signal child Sys.sigint;
  expect "twice" (Child.finish child) ~out:"ready\ncancelled\ninterrupted\n" ~code:9

(* If the signal comes again and again, it ends the process, which says why. *)
let ends_by_signals name ~after ~out =
  let child = start name in
  Child.wait_for_output child "ready\n";
  Child.signal child Sys.sigint;
  Child.wait_for_output child after;
  while not (Child.has_ended child) do
    Child.signal child Sys.sigint;
    Unix.sleepf 0.05
  done;
  let e = Child.finish child in
  expect name e ~out ~code:(128 + 2);
  one_line name "SIGINT again" e

let interrupts_without_polls () =
  ends_by_signals "interrupt-without-polls" ~after:"ready\n" ~out:"ready\n";
  ends_by_signals "interrupt-in-finaliser" ~after:"cancelled\n" ~out:"ready\ncancelled\n"

let blocking_threads () =
  List.iter
    (fun limit ->
      let e = run ~env:[ ("WEFT_BLOCKING_THREADS", limit) ] "blocking-most" in
      expect limit e ~out:(limit ^ "\n") ~code:0;
      silent limit e)
    [ "1"; "3"; "20" ];
  List.iter
    (fun bad ->
      let e = run ~env:[ ("WEFT_BLOCKING_THREADS", bad) ] "blocking-most" in
      Alcotest.(check int) "exit code" 0 e.code;
      one_line bad "WEFT_BLOCKING_THREADS" e)
    [ "0"; "-1"; "many"; "10001"; "1.5" ]

(* Setting the affinity needs no privileges, unlike a quota: that is tested in test/platform, on made-up
   files, and by `weft bench elastic`. *)
let pinned () =
  let under = [ "taskset"; "-c"; "0" ] in
  let trial =
    Filename.quote_command "taskset" ~stdout:"/dev/null" ~stderr:"/dev/null" [ "-c"; "0"; "true" ]
  in
  if Sys.command trial <> 0 then print_endline "pools on one processor: skipped, taskset does not work here"
  else
    List.iter
      (fun (env, out) -> expect "on one processor" (run ~under ~env "sizes") ~out ~code:0)
      [
        ([], "1\n1 1\n4 1\n");
        ([ ("WEFT_DOMAINS", "3") ], "3\n3 1\n4 1\n");
        ([ ("WEFT_PROCESSORS", "2") ], "1\n1 1\n4 2\n");
      ]

let blocking_without_domains () =
  (* With few domains the host of blocking calls is a thread of an existing one. *)
  List.iter
    (fun limit ->
      let env = [ ("OCAMLRUNPARAM", Printf.sprintf "d=%d" limit) ] in
      let what = Printf.sprintf "limit %d" limit in
      expect what (run ~env "blocking-few-domains") ~out:"100\n50 50\n" ~code:0;
      expect (what ^ ", exit") (run ~env "exit-while-blocked") ~out:"6765\n" ~code:0)
    (Effort.some ~quick:[ 1; 3 ] [ 1; 2; 3; 4; 5 ])

(* The only domain that OCaml allows beside the first one is ending, so no other can be started, when work
   arrives. *)
let work_while_retiring () =
  let rounds = Effort.few 3_000 in
  let e = run ~env:[ ("OCAMLRUNPARAM", "d=2") ] ~rounds "work-while-retiring" in
  expect "none is lost" e ~out:(Printf.sprintf "%d\n" rounds) ~code:0

let signals_in_new_domains () =
  let e = run ~rounds:(Effort.few 500) "signals-in-new-domains" in
  expect "signals" e ~out:"ended\n" ~code:0

let without_a_domain what subject ~limit =
  let e = run ~env:[ ("OCAMLRUNPARAM", Printf.sprintf "d=%d" limit) ] subject in
  expect what e ~out:"true\n" ~code:0;
  one_line what "domains could be started" e

(* The worker could not be started while somebody else had the domain, and nobody is told when a domain is
   free again. *)
let worker_comes_late () = without_a_domain "it comes" "worker-comes-late" ~limit:2

let idle_without_a_domain () =
  without_a_domain "nobody looks for work again and again" "idle-without-a-domain" ~limit:3

let exits_while_blocked () =
  expect "a call that goes on" (run "exit-while-blocked") ~out:"6765\n" ~code:0;
  expect "exit beside a call" (run "exit-in-blocked-run") ~out:"" ~code:6;
  expect "exit in a call" (run "exit-in-blocking") ~out:"" ~code:7

let blocking_and_deadlocks () = expect "deadlock" (run "blocking-deadlock") ~out:"5\ndeadlock\n" ~code:0

let deadlocks_again () =
  let rounds = Effort.few 1_000 in
  List.iter
    (fun domains ->
      let e = run ~env:[ ("WEFT_DOMAINS", domains) ] ~rounds "deadlocks" in
      expect domains e ~out:(Printf.sprintf "%d\n" rounds) ~code:0)
    [ "1"; "2"; "4" ];
  expect "main awaits a task" (run "deadlock-awaited") ~out:"Weft.await\n" ~code:0

let on_each_size name ~out =
  List.iter
    (fun domains ->
      let e = run ~env:[ ("WEFT_DOMAINS", domains) ] name in
      expect (Printf.sprintf "%s on %s" name domains) e ~out ~code:0;
      silent name e)
    (Effort.some ~quick:[ "1"; "3" ] [ "1"; "2"; "3"; "8" ])

let deadlocks () =
  on_each_size "deadlock-crosswise" ~out:"deadlock: Weft.Chan.recv, Weft.Chan.recv\n";
  on_each_size "deadlock-promise" ~out:"deadlock: Weft.await\n";
  on_each_size "deadlock-many"
    ~out:
      "deadlock: Weft.Chan.recv, Weft.Chan.recv, Weft.Chan.send, Weft.Mutex.lock, Weft.await, the tasks of a \
       Weft.Scope\n\
       4 finalised\n"

let what_starts_domains () =
  let starts arguments = Child.run ~env:[ ("WEFT_DOMAINS", "2") ] "./starts.exe" arguments in
  List.iter
    (fun name ->
      let e = starts [ name ] in
      expect name e ~out:"as stated\n" ~code:0)
    (Text.lines (starts []).out)

let deadlocks_uncaught () =
  let e = run ~env:[ ("OCAMLRUNPARAM", "b"); ("WEFT_DOMAINS", "2") ] "deadlock-uncaught" in
  expect "uncaught" e ~out:"" ~code:2;
  let says part = Alcotest.(check bool) (part ^ ", in: " ^ e.err) true (Text.contains part e.err) in
  says "all 2 fibers wait, and nobody is left to resume them: 2 in Weft.Chan.recv";
  says "Fiber 2 waits in Weft.Chan.recv";
  (* The report shows where they wait. *)
  says "Dune__exe__Subject.crosswise.pass_on"

let not_deadlocked () =
  on_each_size "resolved-by-thread" ~out:"5\n";
  on_each_size "resolved-by-signal" ~out:"5\n";
  on_each_size "resolved-by-timer" ~out:"5\n";
  on_each_size "resolved-by-blocking" ~out:"5\n";
  on_each_size "resolved-as-announced" ~out:"5\ndeadlock: Weft.await\n";
  on_each_size "timed-out" ~out:"timed out, 5\n";
  on_each_size "undetected" ~out:"still waits\n5\n"

let own_threads () =
  List.iter
    (fun env -> expect "the next thread's number" (run ~env "own-threads") ~out:"1\n" ~code:0)
    [ []; [ ("OCAMLRUNPARAM", "d=1") ]; [ ("OCAMLRUNPARAM", "d=2") ]; [ ("OCAMLRUNPARAM", "d=3") ] ]

let processes () = expect "create_process" (run "create-process") ~out:"started\n" ~code:0

let () =
  let case = Watchdog.case in
  Alcotest.run "process"
    [
      ( "environment",
        [
          case "WEFT_DOMAINS" sizes_from_the_environment;
          case "WEFT_FENCE" fence_modes;
          case "what starts domains" what_starts_domains;
          case "too few domains" spawn_failures;
          case "pools of a program that may use one processor" pinned;
          case "WEFT_BLOCKING_THREADS" blocking_threads;
          case "blocking calls without a domain of their own" blocking_without_domains;
          case "work that comes while the last worker ends" work_while_retiring;
          case "a worker comes when there is a domain for it again" worker_comes_late;
          case "an idle pool that lacks a domain waits" idle_without_a_domain;
          case "our own threads are counted" own_threads;
          case "a blocking call is no deadlock" blocking_and_deadlocks;
          case "one deadlock after the other is found" deadlocks_again;
        ] );
      ( "deadlocks",
        [
          case "a deadlock ends with a list of who waits for what" deadlocks;
          case "a deadlock nobody catches is printed with the stacks" deadlocks_uncaught;
          case "a fiber that is going to be resumed from outside is not deadlocked" not_deadlocked;
        ] );
      ( "ends",
        [
          case "an exception nobody awaited is printed" unawaited_is_printed;
          case "what nobody awaits changes the code" unawaited_changes_the_code;
          case "exit" exits;
          case "exit while calls block" exits_while_blocked;
          case "Ctrl-C" interrupts;
          case "Ctrl-C twice" interrupts_twice;
          case "Ctrl-C where nobody looks" interrupts_without_polls;
          case "signals while the program makes domains" signals_in_new_domains;
          case "create_process works beside a pool" processes;
        ] );
    ]
