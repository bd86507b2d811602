open Testing

let weft = Unix.realpath Sys.argv.(1)

(* [f ()] in a new, empty folder. *)
let in_folder f () =
  let before = Sys.getcwd () in
  Folder.within "new" @@ fun folder ->
  Sys.chdir folder;
  Fun.protect ~finally:(fun () -> Sys.chdir before) f

let make name = Child.run weft [ "new"; name ]
let here () = List.sort compare (Array.to_list (Sys.readdir "."))

let check_refused ~code part (ended : Child.ended) =
  Alcotest.(check (pair int string)) "exit code and output" (code, "") (ended.code, ended.out);
  Alcotest.(check int) ("one line: " ^ ended.err) 1 (List.length (Text.lines ended.err));
  if not (Text.contains part ended.err) then Alcotest.failf "%S is not in %s" part ended.err

(* What the lines that are indented tell to type, without comments. *)
let commands text =
  List.filter (String.starts_with ~prefix:"    ") (Text.lines text)
  |> List.map (fun line -> String.trim (List.hd (String.split_on_char '#' line)))

let speed_up = Str.regexp "[0-9.]+ s, in parallel [0-9.]+ s on 2 domains: [0-9.]+ times as fast"

let its_commands () =
  let said = Typed.run [] [ "weft new a-b_1" ] in
  let enter, rest =
    match commands said with
    | "cd a-b_1" :: ([ _; _; _ ] as rest) -> ("cd a-b_1", rest)
    | _ -> Alcotest.failf "no three commands in\n%s" said
  in
  let out =
    Typed.run [] ([ "exec 2>&1"; "export WEFT_DOMAINS=2"; "weft new a-b_1"; enter ] @ rest @ [ "cat *.opam" ])
  in
  List.iter
    (fun part -> if not (Text.contains part out) then Alcotest.failf "%S is not in\n%s" part out)
    [ "at most 350 steps"; "From 871: 178 steps"; "All tests have passed."; {|"weft" {>= "0.1.0"}|} ];
  match Str.search_forward speed_up out 0 with
  | _ -> ()
  | exception Not_found -> Alcotest.failf "no speed-up in\n%s" out

(* Warnings are errors in dune's development mode. *)
let development () =
  ignore
    (Typed.run []
       [
         "weft new plain";
         "cd plain";
         "dune build --root .";
         "dune install --root . --prefix $PWD/x";
         "x/bin/plain";
       ]
      : string)

let its_test_fails () =
  let out =
    Typed.run []
      [
        "weft new broken";
        "cd broken";
        "sed -i 's/then 1 else 0/then 0 else 0/; s/if n = 1 then 0/if n = 1 then 1/' lib/collatz.ml";
        "dune test --release 2>&1 || echo exit code $?";
      ]
  in
  if not (Text.contains "exit code 1" out) then Alcotest.failf "the test passes:\n%s" out

(* In a release build too, where OCaml alone only warns. *)
let unit_forgotten () =
  let out =
    Typed.run []
      [
        "weft new forgotten";
        "cd forgotten";
        "echo 'let () = Weft.parallel_for ~start:1 ~finish:3 ~body:print_int; print_newline ()' > bin/main.ml";
        "dune build --release 2>&1 || echo exit code $?";
      ]
  in
  List.iter
    (fun part -> if not (Text.contains part out) then Alcotest.failf "%S is not in\n%s" part out)
    [ "ignored-partial-application"; "exit code 1" ]

let there () =
  Sys.mkdir "folder" 0o777;
  Out_channel.with_open_bin "file" (fun out -> output_string out "mine");
  check_refused ~code:1 "folder is there already" (make "folder");
  check_refused ~code:1 "file is there already" (make "file");
  Alcotest.(check (list string)) "nothing has changed" [ "file"; "folder" ] (here ());
  Alcotest.(check string) "the file" "mine" (In_channel.with_open_bin "file" In_channel.input_all);
  Alcotest.(check int) "the folder" 0 (Array.length (Sys.readdir "folder"))

let names () =
  List.iter
    (fun name -> check_refused ~code:2 "invalid name" (Child.run weft [ "new"; "--"; name ]))
    [
      "";
      ".";
      "..";
      "a/b";
      "/tmp/a";
      "9a";
      "-a";
      "_a";
      "a b";
      "a.b";
      "a'b";
      "a\nb";
      "\xc3\xa9";
      "weft";
      "dune";
    ];
  check_refused ~code:2 "NAME" (Child.run weft [ "new" ]);
  check_refused ~code:2 "too many" (Child.run weft [ "new"; "a"; "b" ]);
  Alcotest.(check (list string)) "nothing is left" [] (here ())

(* A name that is too long for the system fails at the first step; a limit for the size of files fails when the
   temporary folder is there. *)
let cannot_be_written () =
  check_refused ~code:1 "cannot make a folder here" (make (String.make 300 'a'));
  let limited =
    Child.run "sh" [ "-c"; "(trap '' XFSZ; ulimit -f 0; \"$0\" new big; echo exit code $?) 2>&1 | cat"; weft ]
  in
  (match Text.lines limited.out with
  | [ said; "exit code 1" ] when Text.contains "cannot make big" said -> ()
  | _ -> Alcotest.failf "not refused: %s" limited.out);
  Alcotest.(check (list string)) "nothing is left" [] (here ())

let rights () =
  let said = Child.run "sh" [ "-c"; "umask 027; exec \"$0\" new mine"; weft ] in
  Alcotest.(check int) said.err 0 said.code;
  Alcotest.(check int) "folder" 0o750 ((Unix.stat "mine").st_perm land 0o777);
  Alcotest.(check int) "file" 0o640 ((Unix.stat "mine/dune-project").st_perm land 0o777)

let () =
  let case name f = Watchdog.case name (in_folder f) in
  Alcotest.run ~argv:[| "test_new" |] "new"
    [
      ( "the project",
        [
          case "its three commands run, test and measure it" its_commands;
          case "it builds without warnings, and is installed" development;
          case "its test finds a fault" its_test_fails;
          case "a loop without its last () is an error" unit_forgotten;
          case "the user's umask decides who may read it" rights;
        ] );
      ( "refusals",
        [
          case "what is there already is left alone" there;
          case "names that no project may have" names;
          case "what cannot be written leaves nothing behind" cannot_be_written;
        ] );
    ]
