(* Nothing here depends on time: the same seed gives the same schedules everywhere. *)

open Testing
open Weft_schedules

let path i = if Filename.is_implicit Sys.argv.(i) then Filename.concat "." Sys.argv.(i) else Sys.argv.(i)
let command = path 1
let subject = path 2
let run ?(options = []) name = Child.run command (options @ [ "--"; subject; name ])
let check_code what code (r : Child.ended) = Alcotest.(check int) (what ^ ": " ^ r.out ^ r.err) code r.code

let check_says what says (r : Child.ended) =
  Alcotest.(check bool) (Printf.sprintf "%s says '%s': %s" what says r.out) true (Text.contains says r.out)

let in_file text f =
  let file = Filename.temp_file "explore" ".schedule" in
  Fun.protect ~finally:(fun () -> Sys.remove file) @@ fun () ->
  Out_channel.with_open_bin file (fun out -> output_string out text);
  f file

let choices file =
  match Weft_scheduler.Schedule_file.read file with
  | Ok choices -> List.length choices
  | Error why -> failwith why

(* --- planted faults --- *)

let found name ~kind ~most ?(options = []) () =
  in_file "" @@ fun file ->
  let r = run ~options:([ "--save"; file; "--schedules"; "100" ] @ options) name in
  check_code "found" 1 r;
  check_says "the report" kind r;
  check_says "the report" "fiber 0.1" r;
  check_says "the report" ("--replay " ^ file) r;
  check_says "the report" "schedules per second; " r;
  Alcotest.(check bool) "shrunk" true (choices file <= most);
  let again () = run ~options:([ "--replay"; file ] @ options) name in
  let first = again () in
  check_code "replayed" 1 first;
  check_says "the replay" kind first;
  Alcotest.(check string) "exactly" first.out (again ()).out

let lost = found "lost" ~kind:"exception Failure" ~most:1
let order = found "order" ~kind:"deadlock" ~most:1

(* The fault needs four choices; so the shrinker must end there. *)
let three = found "three" ~kind:"exception Failure" ~most:4 ~options:[ "--seed"; "2" ]
let late = found "late" ~kind:"-> time" ~most:3
let livelock = found "livelock" ~kind:"livelock" ~most:1 ~options:[ "--patience"; "300" ]

let all_with_one () =
  let r = run ~options:[ "--exhaustive"; "1" ] "lost" in
  check_code "found" 1 r;
  let r = run ~options:[ "--exhaustive"; "1" ] "counted" in
  check_code "no fault" 0 r;
  check_says "the report" "all " r

(* --- programs without faults --- *)

let passes ?(options = []) name () =
  let r = run ~options:([ "--schedules"; "40" ] @ options) name in
  check_code "no fault" 0 r;
  check_says "the report" "40 schedules: no failure" r;
  check_says "the report" "schedules per second; " r

let record seed name =
  in_file "" @@ fun file ->
  let r =
    Child.run ~env:[ ("WEFT_EXPLORE", Printf.sprintf "seed=%d,record=%s" seed file) ] subject [ name ]
  in
  check_code "it ends" 0 r;
  match Record.read file with Some r -> r | None -> failwith "no record"

let the_same_again () =
  let a = record 5 "mixed" and b = record 5 "mixed" and c = record 6 "mixed" in
  Alcotest.(check bool) "many choices" true (List.length (Record.schedule a) > 5);
  Alcotest.(check bool) "the same seed" true (a.points = b.points);
  Alcotest.(check bool) "another seed" true (a.points <> c.points)

(* --- what is wrong with the input --- *)

let check_refused what ~code ~says (r : Child.ended) =
  check_code what code r;
  Alcotest.(check int) (what ^ ": one line: " ^ r.err) 1 (List.length (Text.lines r.err));
  Alcotest.(check bool) (what ^ ": says " ^ says ^ ": " ^ r.err) true (Text.contains says r.err)

let damaged () =
  let refused text says =
    in_file text @@ fun file ->
    check_refused (String.escaped text) ~code:2 ~says (run ~options:[ "--replay"; file ] "counted")
  in
  refused "" "no schedule";
  refused "hello\n" "no schedule";
  refused "weft-schedule 1\n0 1 -> 0." "within a line";
  refused "weft-schedule 1\n# fine\n0 -1 -> 0.1\n" "line 3";
  refused "weft-schedule 1\n0 1 0.1\n" "line 2";
  refused "weft-schedule 1\n0 0x1 -> 0.1\n" "line 2";
  refused "weft-schedule 1\n\000\027[2J\n" "line 2";
  refused "weft-schedule 1\n0 99999999999999999999 -> 0.1\n" "line 2";
  refused "weft-schedule 1\ntime 1 -> 0\n" "line 2";
  refused "weft-schedule 1\n0 77 -> time\n" "1 of its 1 choices do not fit";
  refused "weft-schedule 1\n0 77 -> 0.9\n" "1 of its 1 choices do not fit";
  check_refused "a folder" ~code:2 ~says:"directory" (run ~options:[ "--replay"; "." ] "counted");
  check_refused "none" ~code:2 ~says:"No such file" (run ~options:[ "--replay"; "nowhere" ] "counted")

let not_explored () =
  check_refused "without Weft" ~code:2 ~says:"cannot be explored" (Child.run command [ "--"; "/bin/true" ]);
  check_refused "no program" ~code:2 ~says:"cannot run" (Child.run command [ "--"; "./nowhere" ]);
  let with_variable value = Child.run ~env:[ ("WEFT_EXPLORE", value) ] subject [ "counted" ] in
  check_refused "a word" ~code:124 ~says:"the seed is to be a number" (with_variable "hello");
  check_refused "a key" ~code:124 ~says:"there is no \"sed\"" (with_variable "sed=1");
  let check_escaped what = check_refused what ~says:{|"\027[31mx|} in
  check_refused "a file" ~code:124 ~says:"No such file" (with_variable "replay=nowhere");
  check_escaped "a name" ~code:124 (with_variable "replay=\027[31mx");
  check_escaped "a record's name" ~code:0 (with_variable "record=\027[31mx/y")

(* A program that ignores signals, and says its pid. The signal often comes just when the program has been
   started. *)
let stopped_once () =
  in_file "" @@ fun file ->
  let script =
    Printf.sprintf "trap '' INT TERM; echo $$ >%s; while :; do sleep 1; done" (Filename.quote file)
  in
  let tool = Child.start command [ "--timeout"; "1000"; "--"; "sh"; "-c"; script ] in
  let said () = In_channel.with_open_bin file In_channel.input_all in
  Watchdog.until "the program has begun" (fun () -> String.ends_with ~suffix:"\n" (said ()));
  Child.signal tool Sys.sigterm;
  Alcotest.(check int) "the exit code" 143 (Child.finish tool).code;
  let is_there pid =
    match Unix.kill pid 0 with () -> true | exception Unix.Unix_error (ESRCH, _, _) -> false
  in
  Alcotest.(check bool) "the program is there" false (is_there (int_of_string (String.trim (said ()))))

let stopped () =
  for _ = 1 to 20 do
    stopped_once ()
  done

let no_place () =
  let r = run ~options:[ "--save"; "nowhere/there" ] "lost" in
  check_refused "a place" ~code:2 ~says:"--save" r;
  Alcotest.(check string) "nothing was run" "" r.out

(* --- shrinking --- *)

let shrinks () =
  let runs = ref 0 in
  let fails xs =
    incr runs;
    if List.mem 3 xs && List.mem 17 xs then Some xs else None
  in
  let all = List.init 100 Fun.id in
  Alcotest.(check (list int)) "the two" [ 3; 17 ] (Shrink.shrink ~tries:1000 fails all);
  Alcotest.(check bool) "in few runs" true (!runs < 100);
  runs := 0;
  ignore (Shrink.shrink ~tries:7 fails all : int list);
  Alcotest.(check int) "no more than allowed" 7 !runs

let () =
  let case name f = Testing.Watchdog.case name f in
  Alcotest.run "explore"
    ~argv:(Array.append [| Sys.argv.(0) |] (Array.sub Sys.argv 3 (Array.length Sys.argv - 3)))
    [
      ( "faults",
        [
          case "a lost update" lost;
          case "a deadlock by lock order" order;
          case "four switches" three;
          case "a time-out beside a ready fiber" late;
          case "a livelock" livelock;
          case "exhaustive" all_with_one;
        ] );
      ( "no faults",
        [
          case "a counter" (passes "counted");
          case "hours of sleep" (passes "sleeps");
          case "no time-out beside a ready fiber" (passes "late" ~options:[ "--no-timers" ]);
          case "channels, scopes, loops" (passes "mixed");
          case "the same again" the_same_again;
        ] );
      ("input", [ case "damaged schedules" damaged; case "programs" not_explored; case "no place" no_place ]);
      ("ends", [ case "by a signal" stopped ]);
      ("shrinking", [ case "the shortest" shrinks ]);
    ]
