(* Command lines at random, on files at random: each command ends with a documented code and a line. *)

module Child = Testing.Child

let words =
  [ ""; "-"; "--"; "0"; "-1"; "1"; "2"; "1,2"; "1e9"; "99999999999"; "nan"; "x"; "'"; "/"; "/dev/null"; "/nonexistent/x"; "."; "a b"; "--json"; "--x"; "%s"; "par" ]
[@@ocamlformat "disable"]

let options =
  [
    ("report", [ "--json"; "--html"; "--show" ]);
    ("compare", [ "--json"; "--threshold"; "--alpha"; "--ratios" ]);
    ("convert", [ "--csv"; "--google-json"; "--baseline" ]);
    ("scale", [ "--workers"; "--steal"; "--json"; "--svg" ]);
    ("migrate", [ "--json" ]);
    ("doctor", [ "--json" ]);
    ("new", [ "--x" ]);
    ("plot", [ "--format" ]);
    ("attach", [ "--seconds"; "--output"; "--format"; "--last"; "--quiet" ]);
    ("trace", [ "--output"; "--format"; "--last"; "--ring"; "--quiet" ]);
    ( "explore",
      [
        "--seed";
        "--schedules";
        "--depth";
        "--exhaustive";
        "--patience";
        "--timeout";
        "--no-timers";
        "--save";
        "--replay";
      ] );
  ]

(* Names of files may hold what a terminal must not see, and a shell puts them into a command line. *)
let names = [ "plain"; "\027[31mred"; "a\nb"; "\xe2\x80\xaegnp"; "\xff"; "=1"; "-x" ]

let file ?reader random folder =
  let chosen all = List.nth all (Random.State.int random (List.length all)) in
  let reader = match reader with Some reader -> reader | None -> chosen Reader.all in
  let text = chosen reader.Reader.seeds in
  let text = if Random.State.bool random then text else Mutation.damaged random text in
  let path = Filename.concat folder (chosen names) in
  Out_channel.with_open_bin path (fun out -> output_string out text);
  path

let command weft random folder =
  let chosen all = List.nth all (Random.State.int random (List.length all)) in
  let name, own = chosen options in
  let argument _ =
    match Random.State.int random 8 with
    | 0 | 1 | 2 -> file random folder
    | 3 -> chosen words
    | 4 -> chosen own ^ "=" ^ chosen words
    | 5 -> "-"
    | _ -> chosen own
  in
  let arguments = List.init (1 + Random.State.int random 4) argument in
  (* Nothing else is run, and nothing written but in the folder. *)
  match name with
  | "scale" -> name :: "--read" :: file random folder :: arguments
  | "plot" -> name :: "--output=plots" :: arguments
  | "explore" when Random.State.bool random ->
      [ name; "--replay=" ^ file ~reader:Reader.schedule random folder; "--"; weft; "--version" ]
  | "explore" | "trace" ->
      let is_option text = String.length text > 2 && String.starts_with ~prefix:"--" text in
      (name :: List.filter is_option arguments) @ [ "--"; "/bin/true" ]
  | _ -> name :: arguments

let is_documented code = List.mem code [ 0; 1; 2; 123; 124 ]

let at_random weft () =
  let weft = Unix.realpath weft and here = Sys.getcwd () in
  let count = Testing.Effort.count ~quick:10 ~usual:60 ~long:3_000 in
  for seed = 1 to count do
    let random = Random.State.make [| seed |] in
    Testing.Folder.within "fuzz" @@ fun folder ->
    let command = command weft random folder in
    Sys.chdir folder;
    let ended = Fun.protect (fun () -> Child.run weft command) ~finally:(fun () -> Sys.chdir here) in
    let failed why =
      Alcotest.failf "seed %d: weft %s: %s; %s" seed (String.concat " " (List.map Filename.quote command)) why ended.err
    in
    if not (is_documented ended.code) then failed (Printf.sprintf "code %d" ended.code);
    if ended.code <> 0 && ended.code <> 1 && ended.err = "" then failed "no message";
    List.iter
      (fun part -> if Testing.Text.contains part ended.err then failed part)
      [ "internal error"; "exception"; "Fatal error"; "Stack_overflow"; "Out_of_memory"; "Raised " ];
    (try Reader.check_shown ended.err with Failure why -> failed why)
  done
[@@ocamlformat "disable"]

(* What is not there, under names that a terminal must not see. *)
let names_in_messages weft () =
  let weft = Unix.realpath weft in
  List.iter
    (fun arguments ->
      List.iter
        (fun name ->
          let ended = Child.run weft (arguments @ [ "/nonexistent/" ^ name ]) in
          let what = Printf.sprintf "%s %S" (String.concat " " arguments) name in
          Alcotest.(check bool) (what ^ ": a message") true (ended.code = 2 && ended.err <> "");
          try Reader.check_shown ended.err with Failure why -> Alcotest.failf "%s: %s" what why)
        (Testing.Effort.some ~quick:[ "\027[31mred" ] names))
    [
      [ "report" ];
      [ "migrate" ];
      [ "new" ];
      [ "convert"; "--csv=-" ];
      [ "compare"; "x" ];
      [ "trace"; "-o"; "/dev/null"; "--" ];
      [ "live"; "--" ];
      [ "scale"; "--steal"; "1"; "--" ];
    ]

let tests weft =
  let case = Testing.Watchdog.case in
  [ case "names in messages" (names_in_messages weft); case "at random" (at_random weft) ]
