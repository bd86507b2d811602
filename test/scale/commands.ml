(* The command weft scale, with programs that behave as they should, and others. *)

open Testing

let weft = ref ""
let subject = ref ""
let foreign = ref ""
let only_par = ref ""
let read = Testing.Text.read
let run ?env arguments = Child.run ?env !weft ("scale" :: arguments)
let steal = [ "--steal"; "1000" ]
let of_subject ?(options = []) name = run (steal @ options @ [ "--"; !subject; name ])
let lines text = List.length (Text.lines text)

let check_error what ?(code = 2) ~says (r : Child.ended) =
  Alcotest.(check int) (what ^ ": exit code") code r.code;
  Alcotest.(check int) (what ^ ": one line, not " ^ r.err) 1 (lines r.err);
  Alcotest.(check bool) (Printf.sprintf "%s: '%s' says '%s'" what r.err says) true (Text.contains says r.err)

let table () =
  let r = of_subject "fib" in
  Alcotest.(check (pair int string)) "it goes well" (0, "") (r.code, r.err);
  List.iter
    (fun part -> Alcotest.(check bool) part true (Text.contains part r.out))
    [ "fib: 610"; "parallelism"; "1024"; "Speed-up" ]

let json_of (r : Child.ended) = Yojson.Safe.from_string r.out
let member = Yojson.Safe.Util.member
let to_int json = Yojson.Safe.Util.to_int json

(* If the machine takes the processor away, any part may become the longest of all. *)
let diagnosis () =
  Watchdog.until_undisturbed "'serial' limits, and 'shared' is parallel" @@ fun () ->
  let r = of_subject ~options:[ "--json"; "-" ] "regions" in
  Alcotest.(check (pair int string)) "it goes well" (0, "") (r.code, r.err);
  let json = json_of r in
  let limit = Yojson.Safe.Util.to_string (member "limit" json) in
  let region name =
    List.find
      (fun region -> member "name" region = `String name)
      (Yojson.Safe.Util.to_list (member "regions" json))
  in
  let ns key name = to_int (member key (region name)) in
  Alcotest.(check bool) "serial is serial" true (ns "span_ns" "serial" = ns "work_ns" "serial");
  Alcotest.(check int)
    "a curve of eleven points" 11
    (List.length (Yojson.Safe.Util.to_list (member "curve" json)));
  (* Sixteen parallel parts, and twenty such parts in a row: if only one parallel part counted, it would be
     a twentieth of the serial ones. *)
  let all_parts_are_work = 4 * ns "work_ns" "shared" >= ns "work_ns" "serial"
  and shared_is_parallel = 4 * ns "span_ns" "shared" < 3 * ns "work_ns" "shared" in
  if limit = "serial" && all_parts_are_work && shared_is_parallel then Ok () else Error r.out

let only_forks () =
  let r = run (steal @ [ "--json"; "-"; "--"; !only_par ]) in
  Alcotest.(check (pair int string)) "it goes well" (0, "") (r.code, r.err);
  let from = String.index r.out '{' in
  let json = Yojson.Safe.from_string (String.sub r.out from (String.length r.out - from)) in
  Alcotest.(check bool) "it has work" true (to_int (member "work_ns" (member "total" json)) > 0)

let several_pools () =
  let r = of_subject ~options:[ "--json"; "-" ] "several" in
  Alcotest.(check (pair int string)) "it goes well" (0, "") (r.code, r.err)

(* The call sleeps for longer than all computing takes. *)
let outside () =
  let r = of_subject ~options:[ "--json"; "-" ] "outside" in
  Alcotest.(check (pair int string)) "it goes well" (0, "") (r.code, r.err);
  let ns = to_int (member "outside_ns" (json_of r)) in
  (* [Sys.time] may lag by a tick of the kernel's clock, which is 10 ms at most. *)
  Alcotest.(check bool)
    (Printf.sprintf "200 ms of 400 (%d ns)" ns)
    true
    (ns >= 180_000_000 && ns < 380_000_000)

let in_folder f = Folder.within "scale" (fun dir -> f dir (Filename.concat dir))

let kept () =
  in_folder @@ fun dir at ->
  let file = at "kept" and svg = at "curve.svg" in
  let r = of_subject ~options:[ "--save"; file; "--svg"; svg ] "fib" in
  Alcotest.(check int) "it goes well" 0 r.code;
  Alcotest.(check bool) "the picture is there" true (String.starts_with ~prefix:"<svg" (read svg));
  let again = run [ "--read"; file ] in
  Alcotest.(check (pair int string)) "and is read" (0, "") (again.code, again.err);
  Alcotest.(check (list string))
    "nothing else is left" [ "curve.svg"; "kept" ]
    (List.sort compare (Array.to_list (Sys.readdir dir)))

let odd_places () =
  in_folder @@ fun _ at ->
  let save file = of_subject ~options:[ "--save"; file; "--svg"; at "curve" ] "fib" in
  Unix.symlink "far" (at "link");
  Alcotest.(check int) "through a link" 0 (save (at "link")).code;
  Alcotest.(check bool) "the link stays" true ((Unix.lstat (at "link")).st_kind = S_LNK);
  Alcotest.(check int) "what it leads to is read" 0 (run [ "--read"; at "far" ]).code;
  Unix.mkfifo (at "pipe") 0o600;
  let reader = Printf.sprintf "head -c 4 %s" (Filename.quote (at "pipe")) in
  let from_pipe = Unix.open_process_in reader in
  let drawn = of_subject ~options:[ "--svg"; at "pipe" ] "fib" in
  let text = In_channel.input_all from_pipe in
  ignore (Unix.close_process_in from_pipe : Unix.process_status);
  Alcotest.(check (pair int string)) "into a pipe" (0, "<svg") (drawn.code, text);
  Alcotest.(check bool) "the pipe stays" true ((Unix.stat (at "pipe")).st_kind = S_FIFO);
  let shown = run [ "--read"; at "far"; "--svg"; "-" ] in
  Alcotest.(check bool) "standard output" true (String.starts_with ~prefix:"<svg" shown.out);
  Alcotest.(check bool) "and nothing else there" false (Text.contains "Speed-up by" shown.out)

let clashes () =
  in_folder @@ fun dir at ->
  Alcotest.(check int) "a profile" 0 (of_subject ~options:[ "--save"; at "a" ] "fib").code;
  let before = read (at "a") in
  check_error "over what is read" ~says:"it is the file that is read"
    (run [ "--read"; at "a"; "--json"; Filename.concat dir "./a" ]);
  Alcotest.(check string) "it is as it was" before (read (at "a"));
  check_error "two in one" ~says:"both name the same file"
    (of_subject ~options:[ "--save"; at "b"; "--svg"; at "b" ] "fib");
  check_error "both to standard output" ~says:"standard output" (run [ "--read"; at "a"; "--json"; "-"; "--svg"; "-" ])
[@@ocamlformat "disable"]

let no_use () =
  let refused name arguments = check_error name ~says:(Printf.sprintf "option '%s' has no use" name) (run arguments) in
  List.iter
    (fun (name, value) -> refused name [ "--read"; "x"; name; value ])
    [ ("--save", "y"); ("--measure", "2"); ("--against", "z"); ("--rounds", "3"); ("--domains", "2"); ("--size", "5") ];
  List.iter
    (fun (name, value) -> refused name [ "--benchmarks=fib"; name; value ])
    [ ("--save", "y"); ("--svg", "y"); ("--measure", "2"); ("--against", "z"); ("--workers", "2") ];
  List.iter
    (fun (name, value) -> refused name [ name; value; "--"; "y" ])
    [ ("--rounds", "3"); ("--domains", "2"); ("--size", "5") ]
[@@ocamlformat "disable"]

let no_temporary () =
  check_error "no folder for what is temporary" ~says:"cannot make a temporary file"
    (run ~env:[ ("TMPDIR", "/nonexistent") ] (steal @ [ "--"; !subject; "fib" ]));
  check_error "no name" ~says:"the name of the program is empty" (run (steal @ [ "--"; "" ]))

let measured () =
  let r =
    of_subject ~options:[ "--json"; "-"; "--measure"; "2"; "--rounds"; "1"; "--workers"; "1,2" ] "fib"
  in
  Alcotest.(check (pair int string)) "it goes well" (0, "") (r.code, r.err);
  (* The output of the profiled program comes first; that of the other runs is dropped. *)
  let from = String.index r.out '{' in
  Alcotest.(check string) "one output" "fib: 610\n" (String.sub r.out 0 from);
  let json = Yojson.Safe.from_string (String.sub r.out from (String.length r.out - from)) in
  Alcotest.(check int)
    "one domain, and two" 2
    (List.length (Yojson.Safe.Util.to_assoc (member "measured_seconds" json)))

let against () =
  let compared command =
    of_subject ~options:[ "--rounds"; "1"; "--against"; command; "--measure"; "2" ] "fib"
  in
  let r = compared "true" in
  Alcotest.(check (pair int string)) "it goes well" (0, "") (r.code, r.err);
  List.iter
    (fun part -> Alcotest.(check bool) part true (Text.contains part r.out))
    [ "Whole runs: `true` takes"; " on 1 domain, "; " on 2 domains." ];
  check_error "a command that fails" ~says:"`exit 3` exited with code 3" (compared "exit 3")

(* By figures that are made up. *)
let said_against () =
  let open Weft_insight_scale in
  let says part ~one =
    let a : Words.against = { command = "seq"; seconds = 1.; weft = [ (1, one); (2, 0.9) ] } in
    let text = Words.comparison ~program:"par" a in
    Alcotest.(check bool) text true (Text.contains part text)
  in
  says "On one domain it takes 1.6 times as long" ~one:1.6;
  says "Make its parts larger" ~one:1.6;
  says "Whole runs: `seq` takes 1.00 s, par 1.04 s on 1 domain, 900.00 ms on 2 domains." ~one:1.04;
  says "On one domain it takes as long." ~one:1.04;
  says "may not do the same work" ~one:0.5

let bad_programs () =
  check_error "no such program" ~says:"cannot run /nonexistent/program"
    (run (steal @ [ "--"; "/nonexistent/program" ]));
  check_error "a foreign program" ~says:"wrote no profile" (run (steal @ [ "--"; !foreign ]));
  check_error "one that leaves without ado" ~says:"before its profile was written" (of_subject "leaves");
  check_error "one that is killed" ~says:"was killed by SIGKILL before" (of_subject "dies");
  check_error "one that fails" ~code:1 ~says:"exited with code 3" (of_subject "fails")

let exceptions () =
  let r = of_subject "raises" in
  Alcotest.(check int) "an exception ends the program, not the profile" 1 r.code;
  Alcotest.(check bool)
    "both are told" true
    (Text.contains "as it should" r.err && Text.contains "exited with code 2" r.err)

let bad_files () =
  check_error "no file" ~says:"cannot be read: No such file" (run [ "--read"; "/nonexistent" ]);
  check_error "a foreign file" ~says:"this is no profile" (run [ "--read"; Sys.executable_name ]);
  check_error "no folder for JSON" ~says:"--json" (of_subject ~options:[ "--json"; "/nonexistent/a" ] "fib");
  check_error "no folder for SVG" ~says:"--svg" (of_subject ~options:[ "--svg"; "/nonexistent/a" ] "fib");
  check_error "no program" ~code:2 ~says:"PROGRAM" (run []);
  check_error "both" ~code:2 ~says:"exclude" (run [ "--read"; "x"; "--"; "y" ]);
  check_error "workers" ~code:2 ~says:"number of workers" (run [ "--workers"; "0"; "--"; "y" ])

let not_passed_on () =
  let r = of_subject "variable" in
  Alcotest.(check bool)
    "programs started by the program do not write over its profile" true
    (Text.contains "for others: ''" r.out)

let bad_variables () =
  let profile = Filename.temp_file "scale" ".profile" in
  Sys.remove profile;
  let out = Filename.temp_file "scale" ".err" in
  let code file burden =
    Sys.command
      (Printf.sprintf "WEFT_PROFILE=%s WEFT_PROFILE_BURDEN=%s %s fib >/dev/null 2>%s" (Filename.quote file)
         burden (Filename.quote !subject) (Filename.quote out))
  in
  Alcotest.(check int) "a burden that is none is ignored" 0 (code profile "x");
  Alcotest.(check bool) "and said so" true (Text.contains "WEFT_PROFILE_BURDEN" (read out));
  Alcotest.(check bool) "the profile is there" true (Sys.file_exists profile);
  Alcotest.(check int) "a profile that cannot be written is no failure" 0 (code "/nonexistent/p" "1");
  Alcotest.(check bool) "but said" true (Text.contains "WEFT_PROFILE" (read out));
  List.iter
    (fun (variables, says) ->
      let command = Printf.sprintf "%s WEFT_PROFILE=%s %s fib >/dev/null 2>%s" variables (Filename.quote profile) (Filename.quote !subject) (Filename.quote out) in
      Alcotest.(check int) variables 0 (Sys.command command);
      let said = read out in
      if not (Text.contains says said) then Alcotest.failf "%s: %S does not say %S" variables said says)
    [
      ("WEFT_PROFILE_BURDEN=4611686018427387903", "WEFT_PROFILE_BURDEN=4611686018427387903 is ignored");
      ("WEFT_PROFILE_BURDEN='\027[31m'", {|WEFT_PROFILE_BURDEN=\027[31m is ignored|});
      ("WEFT_PROFILE_TIMES='\027[31m'", {|WEFT_PROFILE_TIMES=\027[31m is ignored|});
      ("WEFT_FENCE='\027[31m'", {|WEFT_FENCE=\027[31m is ignored|});
      ("WEFT_DOMAINS='\027[31m'", {|WEFT_DOMAINS=\027[31m is ignored|});
      ("WEFT_PROCESSORS='\027[31m'", {|WEFT_PROCESSORS=\027[31m is ignored|});
    ];
  List.iter Sys.remove [ profile; out ]
[@@ocamlformat "disable"]

(* The temporary file's name can be guessed. A link, a device or a pipe that the user names is written into. *)
let links_of_profiles () =
  in_folder @@ fun folder at ->
  let put name text = Out_channel.with_open_bin (at name) (fun out -> output_string out text) in
  let run name =
    let script = Printf.sprintf "cd %s && ln -sf victim p.$$.tmp && WEFT_PROFILE=%s exec %s fib >/dev/null" (Filename.quote folder) name (Filename.quote (Unix.realpath !subject)) in
    Alcotest.(check int) name 0 (Sys.command script)
  in
  let is_profile name = String.starts_with ~prefix:"weft-profile 1\nworkers" (read (at name)) in
  put "victim" "mine";
  run "p";
  Alcotest.(check string) "what a link waits for is as it was" "mine" (read (at "victim"));
  Alcotest.(check bool) "the profile is there" true (is_profile "p" && (Unix.lstat (at "p")).st_kind = S_REG);
  Unix.symlink "target" (at "link");
  run "link";
  Alcotest.(check bool) "a link stays" true ((Unix.lstat (at "link")).st_kind = S_LNK && is_profile "target");
  run "/dev/null";
  Alcotest.(check bool) "a device stays" true ((Unix.lstat "/dev/null").st_kind = S_CHR);
  Unix.mkfifo (at "pipe") 0o600;
  Alcotest.(check int) "a reader starts" 0 (Sys.command (Printf.sprintf "cd %s && cat pipe >read &" (Filename.quote folder)));
  run "pipe";
  Testing.Watchdog.until "a pipe's reader gets the whole profile at once" (fun () -> is_profile "read")
[@@ocamlformat "disable"]

let test name f = Testing.Watchdog.case name f

let tests =
  [
    test "a table and a curve" table;
    test "the region that limits is named" diagnosis;
    test "a program that names nothing but Weft.par" only_forks;
    test "programs with several pools" several_pools;
    test "what is computed outside pools, by the processor's clock" outside;
    test "profiles and pictures are kept" kept;
    test "links stay, pipes are written into" odd_places;
    test "no output over another one or over what is read" clashes;
    test "options without a use are refused" no_use;
    test "without a folder for temporary files: one line" no_temporary;
    test "measurements beside predictions" measured;
    test "against a sequential command" against;
    test "what is said of a sequential command" said_against;
    test "programs that cannot be profiled: one line" bad_programs;
    test "a program that ends by an exception" exceptions;
    test "files and options that are wrong: one line" bad_files;
    test "the variable is not passed on" not_passed_on;
    test "variables that are wrong" bad_variables;
    test "links beside a profile, and a device" links_of_profiles;
  ]
