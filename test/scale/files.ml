(* Files of profiles: correct ones, and all kinds of wrong ones. *)

open Weft_insight_scale

let good =
  [
    "weft-profile 1";
    "workers 2";
    "total 100 60 70";
    "elsewhere 20";
    "settings 5000 12 4000";
    "outside 13";
    "cut 0";
    "region -1 1 50 40 45 50 30 \"a \\\"b\\\"\"";
    "region 0 2 20 10 10 20 10 \"inner\"";
    "task 4";
    "R 10 F 1 R 40 J 1 ";
    "task 2";
    "R 50 P 77 ";
    "end";
  ]

let read lines = Recorded.of_lines lines

let right () =
  match read good with
  | Ok (Profile p) ->
      Alcotest.(check int) "work" 100 p.total.work;
      Alcotest.(check (list string))
        "names" [ "a \"b\""; "a \"b\"/inner" ]
        (Array.to_list (Array.map (Recorded.name p) p.regions));
      Alcotest.(check int) "tasks" 2 (Array.length p.tasks);
      Alcotest.(check bool) "events are numbered from 0" true (p.tasks.(1).(1) = Post 0)
  | Ok _ -> Alcotest.fail "not a profile"
  | Error message -> Alcotest.fail message

(* Work 100 ns, span 60. *)
let outside () =
  match read good with
  | Ok (Profile p) ->
      let contains = Testing.Text.contains in
      let said outside = contains "outside Weft's pools" (Words.verdict { p with outside }) in
      Alcotest.(check (option int)) "as the file says" (Some 13) p.outside;
      Alcotest.(check bool) "not known" false (said None);
      Alcotest.(check bool) "a twentieth of all" true (said (Some 6));
      Alcotest.(check bool) "less is not worth a word" false (said (Some 4));
      Alcotest.(check bool)
        "300 ns: 400 of work, 360 of span" true
        (contains
           "No number of workers makes the program more than 1.11 times as fast as one does: it computes for \
            300 ns outside Weft's pools. In them it gets at most 1.67 times as fast; "
           (Words.verdict { p with outside = Some 300 }))
  | _ -> Alcotest.fail "not a profile"

let outside_unknown () =
  match read (List.filter (fun line -> line <> "outside 13") good) with
  | Ok (Profile p) -> Alcotest.(check (option int)) "of a part of a program" None p.outside
  | _ -> Alcotest.fail "not a profile"

let others () =
  Alcotest.(check bool) "unfinished" true (read [ "weft-profile 1 unfinished" ] = Ok Unfinished);
  Alcotest.(check bool) "times" true (read [ "weft-profile 1"; "calls 12"; "end" ] = Ok (Times 12))

let is_error what lines =
  match read lines with
  | Ok _ -> Alcotest.failf "%s: it was read" what
  | Error message ->
      Alcotest.(check bool)
        (what ^ ": one line that says where")
        true
        (String.starts_with ~prefix:"line " message && not (String.contains message '\n'))

let truncated () =
  for n = 0 to List.length good - 1 do
    is_error (Printf.sprintf "%d lines" n) (List.filteri (fun i _ -> i < n) good)
  done

let replaced i line = List.mapi (fun j l -> if j = i then line else l) good

let wrong () =
  is_error "empty" [];
  is_error "another version" (replaced 0 "weft-profile 2");
  is_error "foreign" [ "\127ELF" ];
  is_error "a missing figure" (replaced 2 "total 100 60");
  is_error "a negative figure" (replaced 2 "total 100 -60 70");
  is_error "no number" (replaced 2 "total 100 x 70");
  is_error "a number too large" (replaced 2 "total 100 99999999999999999999999 70");
  is_error "a region inside a later one" (replaced 7 "region 1 1 50 40 45 50 30 \"a\"");
  is_error "a region without a name" (replaced 7 "region -1 1 50 40 45 50 30 ");
  is_error "an unknown step" (replaced 10 "R 10 X 1 R 40 J 1");
  is_error "a step without a number" (replaced 10 "R 10 F 1 R 40 J");
  is_error "too few steps" (replaced 10 "R 10 F 1 R 40");
  is_error "a task that is not there" (replaced 10 "R 10 F 2 R 40 J 1");
  is_error "a fork of the first task" (replaced 10 "R 10 F 0 R 40 J 1");
  is_error "a task forked twice" (replaced 10 "F 1 F 1 R 40 J 1");
  is_error "something after the end" (good @ [ "end" ])

let no_file () =
  match Recorded.read "/nonexistent/profile" with Ok _ -> Alcotest.fail "it was read" | Error _ -> ()

let whole_or_not () =
  let (), profile = Weft.Profile.Private.run_with ~now:(fun () -> 0) ignore in
  match Weft.Profile.save "/nonexistent/profile" profile with
  | () -> Alcotest.fail "it was written"
  | exception Sys_error _ -> ()

let pictures () =
  let graph = { (Graphs.equal_tasks 4 10) with total = { work = 40; span = 10; burdened = 10 } } in
  let curve = Result.get_ok (Curve.make ~steal:0 graph) in
  let svg = Picture.svg ~measured:[ (1, 2.); (2, 1.) ] ~program:"a <b> & \"c\" \xff" curve in
  Alcotest.(check bool) "it is a picture" true (String.starts_with ~prefix:"<svg" svg);
  Alcotest.(check bool)
    "names are escaped" true
    ((not (String.exists (fun c -> c > '~') svg))
    && List.exists
         (fun line -> String.ends_with ~suffix:"a &lt;b&gt; &amp; &quot;c&quot; \\xff</text>" line)
         (String.split_on_char '\n' svg));
  Alcotest.(check bool)
    "no figure is missing" false
    (List.exists
       (fun part -> String.starts_with ~prefix:"nan" part || String.starts_with ~prefix:"inf" part)
       (String.split_on_char '"' svg))

let test name f = Testing.Watchdog.case name f

let tests =
  [
    test "a profile is read" right;
    test "what was computed outside pools counts" outside;
    test "it need not be known" outside_unknown;
    test "other files are known" others;
    test "a truncated profile is an error, wherever it ends" truncated;
    test "wrong files are errors that say where" wrong;
    test "a file that is not there" no_file;
    test "a profile that cannot be written" whole_or_not;
    test "pictures" pictures;
  ]
