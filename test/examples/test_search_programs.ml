(* The example programs life, grep and sudoku. *)

open Game_of_life
open Sudoku_puzzle

let ok out = { Program.code = 0; out; err = "" }

(* Runs a program on one domain and on several: the output must be the same. *)
let check name arguments expected =
  List.iter
    (fun domains ->
      Program.check_answer
        (String.concat " " (name :: domains :: arguments))
        expected
        (Program.run name (("--domains=" ^ domains) :: arguments)))
    [ "1"; "4" ]

(* --- life --- *)

let rec generation n board = if n = 0 then board else generation (n - 1) (Board.step board)
let pattern name ~width ~height = Pattern.board (List.assoc name Pattern.named) ~width ~height ~seed:1
let rows board = List.init board.Board.height (Board.row board)

let moved board ~right ~down =
  let { Board.width; height; _ } = board in
  Board.make ~width ~height (fun ~x ~y ->
      Board.is_alive board ~x:((x - right + width) mod width) ~y:((y - down + height) mod height))

(* The rules in another form: a table of how many neighbours each cell gets from the live cells. *)
let step_by_counting board =
  let { Board.width; height; _ } = board in
  let neighbours = Array.make_matrix height width 0 in
  for y = 0 to height - 1 do
    for x = 0 to width - 1 do
      if Board.is_alive board ~x ~y then
        for dy = -1 to 1 do
          for dx = -1 to 1 do
            let row = neighbours.((y + dy + height) mod height) and x' = (x + dx + width) mod width in
            if (dx, dy) <> (0, 0) then row.(x') <- row.(x') + 1
          done
        done
    done
  done;
  let cell y x n = match n with 3 -> '#' | 2 when Board.is_alive board ~x ~y -> '#' | _ -> '.' in
  List.init height (fun y -> String.init width (fun x -> cell y x neighbours.(y).(x)))

let generations_follow_the_rules () =
  List.iter
    (fun (width, height) ->
      let board = ref (Pattern.board Random ~width ~height ~seed:(width + height)) in
      for _ = 1 to 20 do
        let next = Board.step !board in
        Alcotest.(check (list string))
          (Printf.sprintf "%d x %d" width height)
          (step_by_counting !board) (rows next);
        board := next
      done)
    [ (1, 1); (1, 7); (2, 2); (3, 5); (31, 17); (64, 50) ]

(* Known facts about these patterns, from the literature on the game. *)
let patterns_behave_as_known () =
  let check_same what expected found = Alcotest.(check (list string)) what (rows expected) (rows found) in
  let period name n =
    let board = pattern name ~width:24 ~height:24 in
    for i = 1 to n - 1 do
      Alcotest.(check bool) (name ^ " changes") false (rows (generation i board) = rows board)
    done;
    check_same name board (generation n board)
  in
  period "blinker" 2;
  period "toad" 2;
  period "pulsar" 3;
  let glider = pattern "glider" ~width:9 ~height:9 in
  check_same "the glider moves" (moved glider ~right:1 ~down:1) (generation 4 glider);
  check_same "the glider is back" glider (generation 36 glider);
  let spaceship = pattern "spaceship" ~width:11 ~height:9 in
  check_same "the spaceship moves" (moved spaceship ~right:(-2) ~down:0) (generation 4 spaceship);
  let population name ~width ~height n = Board.population (generation n (pattern name ~width ~height)) in
  Alcotest.(check int) "diehard is alive" 2 (population "diehard" ~width:60 ~height:60 129);
  Alcotest.(check int) "diehard is dead" 0 (population "diehard" ~width:60 ~height:60 130);
  Alcotest.(check int) "the gun and two gliders" 46 (population "gun" ~width:80 ~height:60 60)

let life_prints_generations () =
  check "life"
    [ "--pattern"; "blinker"; "--width"; "5"; "--height"; "3"; "--generations"; "1" ]
    (ok "generation 0: 3 alive\n.....\n.###.\n.....\n\ngeneration 1: 3 alive\n..#..\n..#..\n..#..\n")

(* In a terminal of its own: at Ctrl-C the drawing is removed. *)
let life_gives_the_terminal_back () =
  let after signal =
    Program.in_file "" @@ fun typescript ->
    (* The shell on that terminal waits until something is drawn, sends the signal, and prints the exit
       code. *)
    let command =
      Printf.sprintf
        "%s --delay 0.01 & until grep -aq 'generation [1]:' %s; do sleep 0.01; done; kill -%d $!; wait $!; \
         echo code $?"
        (Filename.quote (Program.path "life"))
        (Filename.quote typescript) signal
    in
    let script =
      Testing.Child.run ~env:[ ("TERM", "xterm") ] "script" [ "-q"; "-f"; "-c"; command; typescript ]
    in
    Alcotest.(check int) "script" 0 script.code;
    In_channel.with_open_bin typescript In_channel.input_all
  in
  let check_restored signal =
    let shown = after signal in
    let rec follow from = function
      | [] -> ()
      | part :: parts -> (
          match Str.search_forward (Str.regexp_string part) shown from with
          | i -> follow i parts
          | exception Not_found ->
              let length = min 300 (String.length shown) in
              Alcotest.failf "signal %d: no %S at the end: %S" signal part
                (String.sub shown (String.length shown - length) length))
    in
    (* It opens the other screen and hides the cursor; at the end it shows the cursor, and the previous
       screen. *)
    follow 0
      [ "\x1b[?1049h"; "\x1b[?25l"; "generation 1:"; "\x1b[?25h"; "\x1b[?1049l"; "generation"; "code 0" ]
  in
  (* The options are those of util-linux; without it, this is not tested. *)
  if Sys.command "script --version 2>/dev/null | grep -q util-linux" = 0 then
    List.iter check_restored [ 2; 15 ]

(* --- grep --- *)

(* Calls [f at] with a folder in which [at "x"] is the path of [x]. *)
let in_folder f = Testing.Folder.within "grep" (fun folder -> f (Filename.concat folder))
let write path text = Out_channel.with_open_bin path (fun channel -> output_string channel text)

let matching_lines_are_found () =
  in_folder @@ fun at ->
  Unix.mkdir (at "b") 0o700;
  write (at "a.txt") "first\nOne two\nlast two";
  write (at "b/x.txt") "two\n\ntwo.five\n";
  write (at "c.txt") "nothing\n";
  write (at "empty") "";
  write (at "z.bin") "two\000two\n";
  let folder = at "" in
  let folder = String.sub folder 0 (String.length folder - 1) in
  let lines found = ok (String.concat "" (List.map (fun (file, line) -> at file ^ line ^ "\n") found)) in
  let grep arguments found = check "grep" (arguments @ [ folder ]) (lines found) in
  grep [ "two" ]
    [ ("a.txt", ":One two"); ("a.txt", ":last two"); ("b/x.txt", ":two"); ("b/x.txt", ":two.five") ];
  grep [ "-n"; "^two\\|^f" ] [ ("a.txt", ":1:first"); ("b/x.txt", ":1:two"); ("b/x.txt", ":3:two.five") ];
  grep [ "-i"; "ONE" ] [ ("a.txt", ":One two") ];
  grep [ "o.f" ] [ ("b/x.txt", ":two.five") ];
  grep [ "-F"; "." ] [ ("b/x.txt", ":two.five") ];
  grep [ "-Fi"; "O.FI" ] [ ("b/x.txt", ":two.five") ];
  grep [ "-l"; "two" ] [ ("a.txt", ""); ("b/x.txt", "") ];
  grep [ "-v"; "-n"; "t" ] [ ("b/x.txt", ":2:") ];
  (* Files are printed in the order in which they are named. *)
  check "grep"
    [ "two"; at "b"; at "a.txt" ]
    (lines [ ("b/x.txt", ":two"); ("b/x.txt", ":two.five"); ("a.txt", ":One two"); ("a.txt", ":last two") ]);
  check "grep" [ "seven"; folder ] { code = 1; out = ""; err = "" };
  check "grep" [ "two"; at "z.bin" ] { code = 1; out = ""; err = "" }

(* Many files and many lines: they are made so that the matches and their order are known. *)
let order_is_of_files_and_lines () =
  in_folder @@ fun at ->
  let files = List.init 60 (fun i -> Printf.sprintf "%02d" i) in
  let line file i = Printf.sprintf "%s line %d" file i in
  List.iter (fun file -> write (at file) (String.concat "\n" (List.init 2000 (line file)) ^ "\n")) files;
  let found file =
    List.filter_map
      (fun i ->
        if i mod 100 = 99 then Some (Printf.sprintf "%s:%d:%s\n" (at file) (i + 1) (line file i)) else None)
      (List.init 2000 Fun.id)
  in
  check "grep" [ "-n"; "99$"; at "" ] (ok (String.concat "" (List.concat_map found files)))

let unreadable_files_are_named () =
  in_folder @@ fun at ->
  write (at "a") "two\n";
  Unix.symlink (at "nowhere") (at "link");
  let gone name = Printf.sprintf "grep: %s: No such file or directory\n" (at name) in
  check "grep" [ "two"; at "gone"; at "a" ] { code = 2; out = at "a" ^ ":two\n"; err = gone "gone" };
  check "grep" [ "two"; Filename.dirname (at "a") ] { code = 2; out = at "a" ^ ":two\n"; err = gone "link" };
  check "grep" [ "two"; "/dev/null" ]
    { code = 2; out = ""; err = "grep: /dev/null: neither a file nor a directory\n" };
  List.iter
    (fun (pattern, why) ->
      Program.check_one_line pattern ~code:2 [ why ] (Program.run "grep" [ pattern; at "a" ]))
    [ ("[a", "not a regular expression"); ("(\\(", "not a regular expression") ]

(* --- sudoku --- *)

let cells text = List.filter (fun c -> c = '.' || ('0' <= c && c <= '9')) (List.of_seq (String.to_seq text))

(* Each of these puzzles is known to have exactly one solution. *)
let known =
  [
    ( "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
      "534678912672195348198342567859761423426853791713924856961537284287419635345286179" );
    ( "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..",
      "812753649943682175675491283154237896369845721287169534521974368438526917796318452" );
    ( "000000010400000000020000000000050407008000300001090000300400200050100000000806000",
      "693784512487512936125963874932651487568247391741398625319475268856129743274836159" );
  ]

let parse text =
  match Puzzle.of_string text with Ok puzzle -> puzzle | Error why -> Alcotest.failf "%S: %s" text why

let framed text = Puzzle.to_string (parse text)

let known_puzzles_are_solved () =
  List.iter
    (fun (puzzle, solution) ->
      Program.in_file (framed puzzle) (fun file -> check "sudoku" [ file ] (ok (framed solution))))
    known;
  let puzzle, solution = List.hd known in
  Alcotest.(check string)
    "read from standard input" (framed solution)
    (Program.in_file (puzzle ^ "\n") (fun stdin -> Program.run ~stdin "sudoku" [])).out;
  Alcotest.(check string)
    "a frame" "5 3 . | . 7 . | . . .\n6 . . | 1 9 5 | . . .\n. 9 8 | . . . | . 6 .\n"
    (String.concat ""
       (List.map (fun line -> line ^ "\n") (List.filteri (fun i _ -> i < 3) (Program.lines (framed puzzle)))))

(* Each digit once in each row, column and box. *)
let is_right solution =
  let cells = Array.of_list (cells solution) in
  let all f = List.for_all f (List.init 9 Fun.id) in
  let complete place =
    List.sort compare (List.init 9 (fun i -> cells.(place i))) = List.init 9 (fun i -> Char.chr (i + 49))
  in
  Array.length cells = 81
  && all (fun n -> complete (fun i -> (9 * n) + i))
  && all (fun n -> complete (fun i -> (9 * i) + n))
  && all (fun n -> complete (fun i -> (27 * (n / 3)) + (3 * (n mod 3)) + (9 * (i / 3)) + (i mod 3)))

(* The empty board has 6.7e21 solutions: a search that does not stop at the first would never end. *)
let one_solution_ends_the_search () =
  Program.in_file (String.make 81 '.') @@ fun file ->
  List.iter
    (fun domains ->
      let answer = Program.run "sudoku" [ file; "--domains"; domains ] in
      Alcotest.(check int) "code" 0 answer.code;
      Alcotest.(check bool) answer.out true (is_right answer.out))
    [ "1"; "2"; "4" ]

(* A wrong digit in an empty cell of a puzzle with one solution leaves none. *)
let unsolvable_puzzles_are_told () =
  let tried = ref 0 in
  List.iter
    (fun (puzzle, solution) ->
      List.iter
        (fun cell ->
          let wrong = if solution.[cell] = '9' then '1' else Char.chr (Char.code solution.[cell] + 1) in
          if not ('1' <= puzzle.[cell] && puzzle.[cell] <= '9') then
            match Puzzle.of_string (String.mapi (fun i c -> if i = cell then wrong else c) puzzle) with
            | Error _ -> () (* the digit conflicts with a given one *)
            | Ok puzzle ->
                incr tried;
                Alcotest.(check (option string))
                  (Printf.sprintf "cell %d" cell) None
                  (Option.map Puzzle.to_string (Puzzle.solve puzzle)))
        (List.init 16 (fun i -> 5 * i)))
    known;
  Alcotest.(check bool) "some were tried" true (!tried >= 5);
  Program.in_file ("12345678." ^ "........9" ^ String.make 63 '.') @@ fun file ->
  check "sudoku" [ file ]
    { code = 1; out = ""; err = Printf.sprintf "sudoku: %s: the puzzle has no solution\n" file }

let invalid_puzzles_are_refused () =
  let check_wrong text why =
    Program.in_file text (fun file ->
        Program.check_one_line text ~code:2 [ "sudoku: " ^ file ^ ": "; why ] (Program.run "sudoku" [ file ]))
  in
  let with_two first second = String.init 81 (fun i -> if i = first || i = second then '7' else '.') in
  check_wrong "" "81 cells are needed, but there are 0";
  check_wrong (String.make 80 '.') "there are 80";
  check_wrong (String.make 82 '.') "there are 82";
  check_wrong "...\n.x." "line 2, column 2: 'x' is neither a digit nor a dot";
  check_wrong (with_two 9 17) "row 2 has two cells with 7";
  check_wrong (with_two 8 80) "column 9 has two cells with 7";
  check_wrong (with_two 60 70) "box 9 has two cells with 7";
  Program.check_one_line "no file" ~code:2 [ "/nowhere"; "No such file" ]
    (Program.run "sudoku" [ "/nowhere" ]);
  Program.check_one_line "a folder" ~code:2 [ "sudoku: /: Is a directory" ] (Program.run "sudoku" [ "/" ])

(* --- errors --- *)

let unwritable () =
  Program.check_unwritable "life" [ "--generations"; "3" ];
  Program.in_file "two\n" (fun file -> Program.check_unwritable "grep" [ "two"; file ]);
  Program.in_file (fst (List.hd known)) (fun file -> Program.check_unwritable "sudoku" [ file ])

let refused () =
  List.iter
    (fun (name, arguments) -> Program.check_refused name arguments)
    [
      ("life", [ "--pattern"; "unknown" ]);
      ("life", [ "--width"; "0" ]);
      ("life", [ "--generations"; "-1" ]);
      ("life", [ "--delay"; "nan" ]);
      ("grep", []);
      ("grep", [ "--unknown"; "two" ]);
      ("sudoku", [ "a"; "b" ]);
    ];
  Program.check_one_line "too small" ~code:2 [ "life: "; "36 x 9" ]
    (Program.run "life" [ "--pattern"; "gun"; "--width"; "35" ])

let () =
  let test name f = Testing.Watchdog.case name f in
  Alcotest.run "search programs"
    [
      ( "life",
        [
          test "generations follow the rules" generations_follow_the_rules;
          test "patterns behave as known" patterns_behave_as_known;
          test "generations are printed" life_prints_generations;
          test "the terminal is given back" life_gives_the_terminal_back;
        ] );
      ( "grep",
        [
          test "matching lines are found" matching_lines_are_found;
          test "the order is that of files and lines" order_is_of_files_and_lines;
          test "unreadable files are named" unreadable_files_are_named;
        ] );
      ( "sudoku",
        [
          test "known puzzles are solved" known_puzzles_are_solved;
          test "one solution ends the search" one_solution_ends_the_search;
          test "puzzles without a solution are told" unsolvable_puzzles_are_told;
          test "invalid puzzles are refused" invalid_puzzles_are_refused;
        ] );
      ( "errors",
        [ test "an unwritable output is an error" unwritable; test "wrong options are refused" refused ] );
    ]
