(* Whatever a name holds, it is a name to the terminal, the page, the table and the script. *)

module Foreign_text = Weft_files.Foreign_text

let shown_in_each_way () =
  List.iter
    (fun name ->
      let what = Printf.sprintf "%S" name in
      let check way holds = if not holds then Alcotest.failf "%s as %s" what way in
      let has part text = Testing.Text.contains part text in
      let line = Foreign_text.line name and ascii = Foreign_text.ascii name in
      Reader.check_shown line;
      check "a line" (Foreign_text.is_plain line && String.is_valid_utf_8 line && not (String.contains line '\n'));
      let is_ascii = String.for_all (fun c -> c >= ' ' && c <= '~') in
      check "ASCII" (is_ascii ascii);
      check "columns" (is_ascii (Foreign_text.columns name));
      let markup = Foreign_text.markup name in
      check "markup" (not (List.exists (String.contains markup) [ '<'; '>'; '"'; '\'' ]));
      check "markup's &" (not (has "&" markup) || List.exists (fun c -> has c name) [ "<"; ">"; "&"; "\""; "'" ]);
      let cell = Foreign_text.cell name in
      check "a cell" (cell = "" || not (String.contains "=+-@\t\r\n" cell.[0]));
      check "UTF-8" (String.is_valid_utf_8 (Foreign_text.utf_8 name));
      check "the name of a file" (Foreign_text.is_plain (Weft_files.Input.shown name)))
    Mutation.hostile_names;
  let same text = Alcotest.(check string) "as it is" text (Foreign_text.line text) in
  List.iter same [ "fib 30"; "gro\xc3\x9f"; "\xe6\x97\xa5\xe6\x9c\xac"; "a\\b"; "'\"<&" ];
  Alcotest.(check string) "in hexadecimal" "\\x1b[1m \\u{9b} \\u{202e} \\xff" (Foreign_text.line "\027[1m \xc2\x9b \xe2\x80\xae \xff");
  Alcotest.(check string) "quoted" "\"a,\"\"b\"\"\"" (Foreign_text.cell "a,\"b\"");
  Alcotest.(check string) "no formula" "'=1+1" (Foreign_text.cell "=1+1")
[@@ocamlformat "disable"]

let must_be_read (reader : Reader.t) what text =
  match reader.read text with
  | Ok () -> ()
  | Error reason -> Alcotest.failf "%s: %s" what reason
  | exception Failure reason -> Alcotest.failf "%s: %s" what reason

(* As regions (a slow one among quick ones, so there is a finding), locks, fibers, counters, rows, the program and a key. *)
let in_traces () =
  let open Made_traces.Made in
  List.iter
    (fun hostile ->
      let region i =
        let from = ms (float_of_int (10 * i)) in
        apart ~tid:0 ~cat:"region" ~id:(string_of_int i) hostile from
          (from +. if i = 30 then ms 600. else ms 1.)
      in
      let wait i =
        let from = ms (float_of_int (20 * i)) in
        apart ~args:[ ("object", `Int 7); (hostile, `String hostile) ] ~tid:1 ~cat:"lock" ~id:("l" ^ string_of_int i) hostile from
          (from +. ms 15.)
      in
      let events =
        [ name 0 hostile; name 1 hostile; job 0 0. (ms 1000.); job 1 0. (ms 300.); park 1 (ms 300.) (ms 1000.) ]
        @ List.init 40 region @ List.init 40 wait
        @ List.init 3 (fun i -> counter hostile ~id:hostile [ (hostile, float_of_int i) ] (ms (float_of_int i)))
        @ [ event "i" ~tid:0 ~cat:hostile hostile 5. [ (hostile, `String hostile) ] ]
      in
      let what = Printf.sprintf "%S" hostile in
      must_be_read Reader.trace what (weft ~program:hostile ~damaged:hostile events);
      must_be_read Reader.trace (what ^ ", of another program") (plain events))
    Mutation.hostile_names
[@@ocamlformat "disable"]

(* A file may not have names that are no lines; all others come through. *)
let in_results () =
  let json = Yojson.Safe.from_string (Reader.corpus "results.json") in
  List.iter
    (fun hostile ->
      let rec renamed : Yojson.Safe.t -> Yojson.Safe.t = function
        | `Assoc fields -> `Assoc (List.map field fields)
        | `List all -> `List (List.map renamed all)
        | json -> json
      and field (key, json) =
        match (key, json) with
        | ("bench" | "method" | "model" | "title" | "reason" | "kernel" | "flags"), `String before ->
            (* Different ones stay different. *)
            (key, `String (hostile ^ before))
        | _ -> (key, renamed json)
      in
      let text = Yojson.Safe.to_string (renamed json) in
      if Foreign_text.is_plain hostile then must_be_read Reader.results (Printf.sprintf "%S" hostile) text
      else
        match Reader.results.read text with
        | Ok () -> Alcotest.failf "%S was read" hostile
        | Error line -> Alcotest.(check bool) line true (Foreign_text.is_plain line))
    Mutation.hostile_names

let in_profiles () =
  List.iter
    (fun hostile ->
      let region = Printf.sprintf "region -1 1 50 40 45 50 60 %S\n" hostile in
      let good = Reader.corpus "profile" in
      let at = String.length "weft-profile 1\nworkers 2\ntotal 100 60 70\nelsewhere 20\nsettings 5000 12 4000\noutside 130\ncut 0\n" in
      must_be_read Reader.profile (Printf.sprintf "%S" hostile)
        (String.sub good 0 at ^ region ^ String.sub good at (String.length good - at)))
    Mutation.hostile_names
[@@ocamlformat "disable"]

let tests =
  let case = Testing.Watchdog.case in
  [
    case "names are shown in each way" shown_in_each_way;
    case "names in traces" in_traces;
    case "names in results" in_results;
    case "names in profiles" in_profiles;
  ]
