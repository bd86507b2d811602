(* Files that were made to be too much for a reader: each once had, or could have, a reader out of memory, out of stack, in an
   exception of its own, or busy for hours. *)

let many n text = String.concat "" (List.init n (fun _ -> text))
let trace events = "{\"traceEvents\": [" ^ String.concat ",\n" events ^ "]}"

let event ?(more = "") phase name ts =
  Printf.sprintf {|{"ph":"%s","name":"%s","ts":%s,"pid":1,"tid":1%s}|} phase name ts more

let traces =
  let deep = many 1_000_000 "[" in
  [
    ("nested", Some "deep", trace [ {|{"ph":"i","ts":1,"args":|} ^ deep ]);
    ("nested behind a comment with a quote", Some "'/'", {|{"x": /* " */ |} ^ deep);
    ("nested behind a comment of one line", Some "'/'", "{\"x\": // \"\n" ^ deep);
    ("nested behind an escaped quote", Some "deep", {|{"x": "\\\"", "y": |} ^ deep);
    ("beyond the range of times", Some "not a time", trace [ event "X" "a" "1e300"; event "X" "b" "5" ]);
    ("the least integer", Some "not a time", trace [ event "i" "a" "-4611686018427387904" ]);
    ("no number", Some "not a time", trace [ event "i" "a" "NaN" ]);
    ("a year apart", Some "more than a year", trace [ event "X" "a" "1"; event "X" "b" "1e14" ]);
    ( "a span of a thousand years",
      Some "a time",
      trace [ event "X" ~more:{|,"dur":4e15|} "a" "1"; event "X" ~more:{|,"dur":1|} "a" "2" ] );
    ( "a span of sixty years",
      Some "more than a year",
      trace [ event "X" ~more:{|,"dur":1.9e15|} "a" "1"; event "X" ~more:{|,"dur":1|} "a" "2" ] );
    ( "many arguments",
      Some "arguments",
      trace
        [ event "i" ~more:(",\"args\":{" ^ String.concat "," (List.init 100_000 (Printf.sprintf {|"a%d":1|})) ^ "}") "a" "1" ] );
    ( "spans within spans",
      None,
      trace (List.init 60_000 (fun i -> event "B" "a" (string_of_int i))) );
    ("tracks", None, trace (List.init 3_000 (fun i -> Printf.sprintf {|{"ph":"X","ts":%d,"dur":5,"pid":1,"tid":%d}|} i i)));
    ("a long name", None, trace [ event "X" (many 1_000_000 "a") "1" ]);
    ("numbers that are none", None, trace [ event "X" ~more:{|,"args":{"a":NaN,"b":[Infinity,1e999]}|} "a" "1" ]);
    ("one event", None, trace [ event "X" "a" "-1e15" ]);
    ( "batches of absurd sizes",
      None,
      trace
        (List.concat_map
           (fun size ->
             [
               event "b" ~more:(Printf.sprintf {|,"cat":"batch","id":"1","args":{"size":%s}|} size) "batch" "0";
               event "e" ~more:{|,"cat":"batch","id":"1"|} "batch" "5";
             ])
           [ "4611686018427387903"; "2100000000000000000"; "-1"; "7" ]) );
  ]
[@@ocamlformat "disable"]

let replaced part by text =
  let n = String.length part in
  let rec at i = if String.equal (String.sub text i n) part then i else at (i + 1) in
  let i = at 0 in
  String.sub text 0 i ^ by ^ String.sub text (i + n) (String.length text - i - n)

let results () =
  let good = Reader.corpus "results.json" in
  let row ?(title = "x") ?(more = "") domains seconds =
    Printf.sprintf
      {|{"bench":"fib","grain":"cutoff","method":"par","role":"contender","paced":false,"domains":%s,"cutoff":null,
         "size":12,"seconds":[%s],"median":%s,"min":%s,"ns_per_fork":null,"ratio_to_sequential":null,
         "ratio_to_default":null,"speed_up":null,"check":"ok","cpu_seconds":0,"cpu_runs":[0],"voluntary_switches":null,
         "involuntary_switches":null,"minor_collections":null,"major_collections":null,"peak_bytes":null,
         "figures":[{"title":"%s","median":3,"runs":[3]}%s]}|}
      domains seconds seconds seconds title more
  in
  let rows all = replaced "\"rows\": [" ("\"rows\": [" ^ String.concat "," (all @ [ "" ])) good in
  let header by = replaced "\"header\": {" ("\"header\": {" ^ by) good in
  [
    ("nested", Some "deep", header ("\"x\":" ^ many 1_000_000 "["));
    ("nested behind a comment", Some "'/'", header ("/* \" */ \"x\":" ^ many 1_000_000 "["));
    ("nested in brackets of Yojson's", Some "'<'", header ("\"x\":" ^ many 1_000_000 "<\"a\":"));
    ("a long list", Some "longer than", replaced "\"rows\": [" ("\"rows\": [" ^ many 100_000 "1,") good);
    ("a number that overflows", Some "out of range", replaced "\"load_before\": 26.32" "\"load_before\": 1e300" good);
    ("a number that vanishes", Some "out of range", replaced "\"load_before\": 26.32" "\"load_before\": 1e-300" good);
    ("a long text", Some "longer than", replaced "AMD EPYC" (many 5_000 "x") good);
    ("an escape sequence", Some "not shown (control", replaced "AMD EPYC" "\\u001b[31m" good);
    ("one of 8 bits", Some "not shown (control", replaced "AMD EPYC" "\\u009b31m" good);
    ("a text from right to left", Some "not shown (control", replaced "AMD EPYC" "\\u202egnp" good);
    ("bytes", Some "not shown (control", replaced "AMD EPYC" "\xff" good);
    ("a key with an escape sequence", Some "not shown (control", replaced "OCAMLRUNPARAM" "\\u001b[31m" good);
    ( "titles of figures",
      Some "different titles",
      replaced "\"figures\": []"
        ("\"figures\": ["
        ^ String.concat "," (List.init 2_000 (fun i -> Printf.sprintf {|{"title":"f%d","median":1,"runs":[1]}|} i))
        ^ "]")
        good );
    ("many domains", Some "at most", rows [ row "4611686018427387903" "1" ]);
    ("no time", Some "above 0", rows [ row "1" "0" ]);
    ("times that no law fits", None, rows [ row "1" "1e30"; row "2" "1e-30" ]);
    ("many domains, almost as many", None, rows [ row "999999" "1"; row "1000000" "1" ]);
    ("a bucket below 0", None, rows [ row ~title:"delay [-5, -1) us" "1" "1" ]);
    ("buckets of infinite and great bounds", None,
      rows [ row ~title:"delay [5, inf) us" ~more:{|,{"title":"delay [1, 1.7e308) us","median":3,"runs":[3]}|} "1" "1" ]);
    ("tasks without an end", None,
      rows [ row ~title:"% 1e309ns" ~more:{|,{"title":"% 1.7e308ns","median":3,"runs":[3]},{"title":"% 10ns","median":3,"runs":[3]}|} "1" "1" ]);
  ]
[@@ocamlformat "disable"]

let profiles () =
  let good = Reader.corpus "profile" in
  let head = "weft-profile 1\nworkers 2\ntotal 100 60 70\nelsewhere 20\nsettings 5000 12 4000\noutside 130\ncut 0\n" in
  let with_regions text = replaced "task 6\n" (text ^ "task 6\n") good in
  let inside i = Printf.sprintf "region %d 1 1 1 1 1 1 \"r\"\n" (if i = 0 then -1 else 1 + i) in
  let nested = String.concat "" (List.init 3_000 inside) in
  [
    ("regions within regions", Some "deep", with_regions nested);
    ("regions beside each other", None, with_regions (many 20_000 "region -1 1 1 1 1 1 1 \"r\"\n"));
    ("a number that overflows", Some "not a number", replaced "R 50" "R 4611686018427387903" good);
    ("steps of ages", Some "10^18", head ^ "task 100\n" ^ many 100 "R 100000000000000000 " ^ "\nend\n");
    ("steals of ages", Some "10^18",
      replaced "settings 5000" "settings 100000000000000000" head ^ "task 30\n" ^ many 30 "W 1 " ^ "\nend\n");
    ("tasks that wait for each other", Some "does not come to its end", head ^ "task 3\nF 1 J 1 P 5 \ntask 1\nW 5 \nend\n");
    ("a line without an end", Some "line", many 1_000_000 "x");
    ("no lines", Some "line", "");
  ]
[@@ocamlformat "disable"]

(* A file of which the system says that it has 200 MB, all zeros. *)
let sparse_log () =
  Testing.Folder.within "fuzz" @@ fun folder ->
  let open Weft_containers in
  let log = Log_file.open_ ~system:Reader.log_system folder in
  Log_file.close log;
  Unix.truncate (Filename.concat folder Reader.first_segment) 200_000_000;
  let before = (Gc.quick_stat ()).major_words in
  (match Log_file.open_ ~system:Reader.log_system folder with
  | log -> Log_file.close log
  | exception Log_file.Damaged _ -> ());
  let words = (Gc.quick_stat ()).major_words -. before in
  Alcotest.(check bool) (Printf.sprintf "%.0f words" words) true (words < 2e6)

(* OCaml's reader of rings takes the head of their file for true. *)
let rings () =
  Testing.Child.with_temp_file @@ fun path ->
  let names = 2400 in
  let length = names + (8192 * 128) and good = [| 1; 2; 80; 1024; 128; 64; 256; names |] in
  let is_ready head =
    let bytes = Bytes.make length '\000' in
    Array.iteri (fun i n -> Bytes.set_int64_ne bytes (8 * i) (Int64.of_int n)) head;
    Out_channel.with_open_bin path (fun out -> output_bytes out bytes);
    Weft_insight_trace.Rings.is_ready path
  in
  Alcotest.(check bool) "a correct head" true (is_ready good);
  Array.iteri
    (fun i before ->
      List.iter
        (fun n ->
          let head = Array.mapi (fun j m -> if i = j then n else m) good in
          if n <> before && is_ready head then Alcotest.failf "word %d: %d" i n)
        [ -1; min_int; max_int; 1 lsl 31; 1 lsl 40; length + 1; (if i = 1 then 100 else length * 8) ])
    good

(* A hundred kB that become 100 MB. *)
let bomb () =
  Testing.Child.with_temp_file @@ fun zeros ->
  Unix.truncate zeros 100_000_000;
  Testing.Child.with_temp_file @@ fun small ->
  Out_channel.with_open_bin small (fun out ->
      output_string out (Testing.Child.run ~stdin:zeros "gzip" [ "-1c" ]).out);
  let read = ref 0 in
  let count input =
    let bytes = Bytes.create 65_536 in
    let rec more () =
      let n = Weft_files.Input.read input bytes 0 (Bytes.length bytes) in
      read := !read + n;
      if n > 0 then more ()
    in
    more ()
  in
  (match Weft_files.Input.with_file small count with
  | Ok () -> Alcotest.failf "all %d bytes were read" !read
  | Error line ->
      Alcotest.(check bool) line true (Testing.Text.contains "compressed by gzip, to less than" line));
  Alcotest.(check bool) (Printf.sprintf "%d bytes" !read) true (!read < 100_000_000)

let tests check =
  let all_of (reader : Reader.t) cases () =
    List.iter
      (fun (what, says, text) ->
        (try check reader text with Failure reason -> Alcotest.failf "%s: %s" what reason);
        match (reader.read text, says) with
        | Ok (), None -> ()
        | Ok (), Some says -> Alcotest.failf "%s: read, and not refused with '%s'" what says
        | Error line, None -> Alcotest.failf "%s: refused: %s" what line
        | Error line, Some says ->
            if not (Testing.Text.contains says line) then
              Alcotest.failf "%s: %S does not say '%s'" what line says)
      (cases ())
  in
  let case = Testing.Watchdog.case in
  [
    case "traces" (all_of Reader.trace (fun () -> traces));
    case "results" (all_of Reader.results results);
    case "profiles" (all_of Reader.profile profiles);
    case "a log whose file claims 200 MB" sparse_log;
    case "heads of rings" rings;
    case "what gzip makes much larger" bomb;
  ]
