(* What crosses from the program to Weft's domains and back: each line of the table in doc/faq.md is a
   test. The subject is also run with a plain domain, whose output is the expected one. *)

type ended = { out : string list; err : string; code : int }

let without v = String.starts_with ~prefix:"WEFT_" v || v = "OCAMLRUNPARAM" || v = "CAMLRUNPARAM"

let run ?(domains = "2") program where =
  let e = Testing.Child.run ~env:[ ("WEFT_DOMAINS", domains) ] ~without "./subject.exe" [ program; where ] in
  { out = Testing.Text.lines e.out; err = e.err; code = e.code }

let of_ours = [ "worker"; "fallback"; "helper" ]
let lines = Alcotest.(list string)

let expect ?(code = 0) what e out =
  if e.code <> code then Printf.printf "%s: standard error:\n%s\n" what e.err;
  Alcotest.check lines (what ^ ": output") out e.out;
  Alcotest.(check int) (what ^ ": exit code") code e.code

let case = Testing.Watchdog.case

(* The output in each of our domains is [out], and with [plain] also in one of OCaml's own. *)
let found ?code ?(plain = true) program out () =
  List.iter
    (fun where -> expect ?code (program ^ ", " ^ where) (run program where) out)
    (if plain then "plain" :: of_ours else of_ours)

(* A line on standard error would report a worker that has ended. *)
let no_worker_ends program () =
  List.iter
    (fun where ->
      let e = run program where in
      expect (program ^ ", " ^ where) e [ "there"; "0 computations" ];
      Alcotest.(check string) (program ^ ", " ^ where ^ ": standard error") "" e.err)
    of_ours

(* The output is the same as in a domain of OCaml's own. *)
let as_plain program () =
  let plain = run program "plain" in
  List.iter (fun where -> expect (program ^ ", " ^ where) (run program where) plain.out) of_ours

let numbers e = List.concat_map (String.split_on_char ' ') e.out

let fresh_numbers program wheres () =
  List.iter
    (fun where ->
      let first = numbers (run program where) and second = numbers (run program where) in
      Alcotest.(check bool)
        (program ^ ", " ^ where ^ ": some numbers")
        true
        (List.length first >= 3 && List.compare_lengths first second = 0);
      let all = List.sort_uniq compare (first @ second) in
      Alcotest.(check int)
        (program ^ ", " ^ where ^ ": different ones")
        (List.length first * 2)
        (List.length all))
    wheres

let seeded () =
  Random.init 42;
  let six = String.concat " " (List.init 6 (fun _ -> string_of_int (Random.bits ()))) in
  found ~plain:false "random-seeded" [ six ] ()

let count what e n line =
  Alcotest.(check int)
    (what ^ ": lines") n
    (List.length (List.filter (String.starts_with ~prefix:line) e.out));
  Alcotest.(check int) (what ^ ": exit code") 0 e.code

let formatted () =
  List.iter
    (fun domains ->
      for _ = 1 to 5 do
        count ("on " ^ domains) (run ~domains "format-in-loop" "worker") 200 "line"
      done)
    [ "1"; "2"; "8" ];
  count "of domains that have gone" (run "format-retired" "worker") 20 "line"

let to_stderr () =
  List.iter
    (fun where ->
      let e = run "format-stderr" where in
      Alcotest.(check string) (where ^ ": standard error") "line\n" e.err)
    ("plain" :: of_ours)

let function_raises () =
  List.iter
    (fun where ->
      let e = run "domain-at-exit-raises" where in
      expect where e [ "end" ];
      Alcotest.(check int) (where ^ ": one line") 2 (List.length (String.split_on_char '\n' e.err)))
    of_ours

(* The order in which domains call them is not defined; a domain that retires early calls its own before
   the program's end. *)
let in_some_order ?code program out wheres () =
  List.iter
    (fun where ->
      let e = run program where in
      expect ?code (program ^ ", " ^ where) { e with out = List.sort compare e.out } (List.sort compare out))
    wheres

(* Weft gives the functions a second, which may be too short on a busy machine. *)
let called_in_time program out wheres () =
  List.iter
    (fun where ->
      let what = program ^ ", " ^ where in
      Testing.Watchdog.until_undisturbed (what ^ ": functions are called within the limit") @@ fun () ->
      let e = run program where in
      if e.out = [] then Error "they were not"
      else begin
        expect what e out;
        Ok ()
      end)
    wheres

let deaths ?(on = [ "1"; "2"; "8" ]) program out ~said () =
  List.iter
    (fun domains ->
      let e = run ~domains program domains in
      expect ("on " ^ domains) e out;
      let is_death = String.starts_with ~prefix:"weft: a worker of pool \"mortal\"" in
      let dead = List.filter is_death (String.split_on_char '\n' e.err) in
      Option.iter (fun n -> Alcotest.(check int) ("on " ^ domains ^ ": said") n (List.length dead)) said)
    on

let () =
  Alcotest.run "crossing"
    [
      ( "domains",
        [
          case "Random after self_init" (fresh_numbers "random-self-init" ("plain" :: of_ours));
          case "Random of domains that workers start" (fresh_numbers "random-of-workers" [ "worker" ]);
          case "Random's numbers of a seed are the program's" seeded;
          case "Random's numbers differ between domains" (found "random-streams" [ "true" ]);
          case "Domain.DLS"
            (found "dls" [ "split: here set, there set, split"; "not split: here set, there initial" ]);
          case "Domain.self" (fun () ->
              expect "worker" (run "domain-self" "worker") [ "domains: 3, workers: 1" ]);
          case "the directory of temporary files" (as_plain "temp-dir");
          case "names of temporary files" (fresh_numbers "temp-names" ("plain" :: of_ours));
          case "Hashtbl.randomize" (as_plain "hashtbl-randomized");
          case "orders of randomized tables" (fresh_numbers "hashtbl-orders" ("plain" :: of_ours));
          case "settings of formatters" (as_plain "format-settings");
          case "the formatter of strings"
            (found "format-strings"
               [ "there: \"\""; "here: \"here\""; "here: \"there, to the first domain's\"" ]);
          case "Gc.Memprof" (found "memprof" [ "sampled: here true, there true" ]);
          case "Gc.Memprof, of a domain that was there" (fun () ->
              expect "worker" (run "memprof-late" "worker") [ "sampled: here true, there false" ]);
          case "Printexc.record_backtrace"
            (found ~plain:false "backtraces" [ "recorded: here true, there true" ]);
          case "settings of Gc" (as_plain "gc");
        ] );
      ( "output",
        [
          case "Format in a loop" formatted;
          case "Format" (found "format-there" [ "line" ]);
          case "Format to standard error" to_stderr;
          case "Format when the pool is closed" (found ~plain:false "format-closed" [ "line"; "closed" ]);
          case "Format when a task exits"
            (in_some_order ~code:3 "format-exit-there" [ "here"; "there" ] [ "worker"; "helper" ]);
          case "Format when another task exits"
            (in_some_order ~code:3 "format-exit-beside" [ "here"; "there" ] of_ours);
        ] );
      ( "functions",
        [
          case "Domain.at_exit, once" (in_some_order "domain-at-exit" [ "end"; "function" ] of_ours);
          case "Domain.at_exit, the last first"
            (found ~plain:false "domain-at-exit-order" [ "second"; "first" ]);
          case "Domain.at_exit, one that raises" function_raises;
          case "Domain.at_exit when a domain goes"
            (found ~plain:false "domain-at-exit-retired" [ "function"; "end" ]);
          case "Domain.at_exit before a pool is closed"
            (found ~plain:false "domain-at-exit-closed" [ "function"; "closed" ]);
          case "Domain.at_exit of a domain that has gone, before a pool is closed"
            (found ~plain:false "domain-at-exit-closed-late" [ "function"; "closed" ]);
          case "Stdlib.at_exit" (as_plain "stdlib-at-exit");
          case "functions that use Weft"
            (in_some_order "functions-use-weft"
               [ "end"; "first domain's: 500500"; "program's: 500500"; "there: 500500" ]
               of_ours);
        ] );
      ( "ends",
        [
          case "main raises" (found ~code:2 ~plain:false "ends-raises" [ "there's" ]);
          case "a task exits"
            (in_some_order ~code:3 "ends-exit-in-task" [ "first domain's"; "there's" ] [ "worker"; "helper" ]);
          case "a thread exits"
            (in_some_order ~code:3 "ends-exit-in-thread" [ "first domain's"; "there's" ] of_ours);
          case "a signal handler exits"
            (in_some_order ~code:3 "ends-handler" [ "first domain's"; "there's" ] of_ours);
          case "a pool is made at the end"
            (in_some_order ~code:3 "ends-with-new-pool" [ "sum 500500, stopped: true" ] [ "worker"; "helper" ]);
          case "a signal handler exits before its thread waits"
            (found ~code:3 ~plain:false "ends-before-the-wait" [ "first domain's" ]);
          case "a call blocks" (found ~plain:false "ends-blocked" [ "there's" ]);
          case "a task forks for ever"
            (in_some_order "ends-forks" [ "forker's"; "there's" ] [ "fallback"; "helper" ]);
          case "a task never ends" (called_in_time "ends-spins" [ "there's" ] [ "fallback"; "helper" ]);
          case "a task never ends in another domain"
            (called_in_time "beside-one-that-spins" [ "there's" ] of_ours);
        ] );
      ( "program",
        [
          case "the handler of uncaught exceptions"
            (found ~code:2 "handler-of-uncaught" [ "joined: task"; "handler: Failure(\"main\")" ]);
          case "printers of exceptions" (found "printers" [ "printer: here printed, there printed" ]);
          case "dispositions of signals" (as_plain "dispositions");
          case "masks of signals" (found ~plain:false "masks" [ "sigusr2 masked: true, sigint: false" ]);
          case "timers whose handlers raise"
            (found ~plain:false "timers-of-processor-time" [ "ended"; "ended"; "ended" ]);
          case "limits of processor time" (no_worker_ends "limits-of-processor-time");
          case "affinity" (as_plain "affinity");
          case "priority" (as_plain "priority");
          case "locale" (as_plain "locale");
          case "credentials" (as_plain "credentials");
          case "directory, environment, umask" (as_plain "process");
          case "limits of resources" (found "limits" [ "open files: here 100, there 100" ]);
          case "descriptors" (found "descriptors" [ "1" ]);
        ] );
      ( "deaths",
        [
          case "death of a worker about to wait"
            (deaths ~on:[ "2"; "8" ] "dies-when-idle" [ "whole: true" ] ~said:(Some 10));
          case "death of a worker with jobs"
            (deaths ~on:[ "2"; "8" ] "dies-with-jobs" [ "whole: true" ] ~said:(Some 10));
          case "deaths by signals"
            (deaths "dies-by-signal" [ "settled: 1000, returned as counted: true"; "whole: true" ] ~said:None);
          case "deaths again and again" (deaths "dies-at-once" [ "done" ] ~said:None);
          case "death of a blocking call's thread" (fun () ->
              expect "helper" (run "dies-in-blocking" "2") [ "settled" ]);
        ] );
    ]
