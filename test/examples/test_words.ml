(* The example program words: its counts, and its messages and exit codes with good and bad input. *)

open Word_count
open Console
open Testing.Text

let words_exe = Filename.concat (Sys.getcwd ()) "../../examples/words/words.exe"
let in_scratch test () = Testing.Folder.within "words" test

(* [write dir "a/b.txt" text] makes the directories of the path, too. *)
let write dir name text =
  let path = Filename.concat dir name in
  let rec make_parents path =
    let parent = Filename.dirname path in
    if not (Sys.file_exists parent) then begin
      make_parents parent;
      Unix.mkdir parent 0o700
    end
  in
  make_parents path;
  Out_channel.with_open_bin path (fun channel -> output_string channel text)

(* --- the program as users run it --- *)

type answer = { code : int; out : string; err : string }

let words ?(env = []) arguments =
  let file suffix = Filename.temp_file "words" suffix in
  let out = file ".out" and err = file ".err" in
  let open_to path = Unix.openfile path [ O_WRONLY; O_TRUNC; O_CLOEXEC ] 0 in
  let from = Unix.openfile "/dev/null" [ O_RDONLY; O_CLOEXEC ] 0
  and out_fd = open_to out
  and err_fd = open_to err in
  let is_set binding = List.exists (fun (name, _) -> String.starts_with ~prefix:(name ^ "=") binding) env in
  let environment =
    List.filter (fun binding -> not (is_set binding)) (Array.to_list (Unix.environment ()))
    @ List.map (fun (name, value) -> name ^ "=" ^ value) env
  in
  let arguments = Array.of_list (words_exe :: arguments) in
  let process = Unix.create_process_env words_exe arguments (Array.of_list environment) from out_fd err_fd in
  List.iter Unix.close [ from; out_fd; err_fd ];
  let _, status = Unix.waitpid [] process in
  let take path =
    let text = In_channel.with_open_bin path In_channel.input_all in
    Sys.remove path;
    text
  in
  let code = match status with WEXITED code -> code | WSIGNALED n | WSTOPPED n -> 1000 + n in
  { code; out = take out; err = take err }

(* One round is enough for tests that do not look at times. *)
let words_once arguments = words ([ "--rounds"; "1"; "--domains"; "2" ] @ arguments)
let check_code = Alcotest.(check int)

let check_line what parts text =
  Alcotest.(check int) (what ^ ": one line") 1 (List.length (lines text));
  List.iter (fun part -> check_contains what ~part text) parts

(* The printed ranking: the lines "rank count word". *)
let ranking { out; _ } =
  let ranked line =
    match List.filter (( <> ) "") (String.split_on_char ' ' line) with
    | [ rank; count; word ] when int_of_string_opt rank <> None -> Some (word, count)
    | _ -> None
  in
  List.filter_map ranked (lines out)

let check_ranking = Alcotest.(check (list (pair string string)))

(* --- counting --- *)

let tally ?(min_length = 1) text =
  let t = Tally.create () in
  Tally.add_words t ~min_length text ~first:0 ~last:(String.length text);
  t

let check_words what expected t =
  Alcotest.(check (list (pair string int))) what expected (Tally.top t max_int)

let a_word_is_a_longest_run () =
  check_words "letters, digits, underscores" [ ("a_1", 2); ("b", 1) ] (tally "a_1+A_1(b)");
  check_words "what begins with a digit is none" [ ("x1", 1) ] (tally "007 12ab x1 1_000");
  check_words "UTF-8 letters" [ ("na\xc3\xafve", 2) ] (tally "Na\xc3\xafve, na\xc3\xafve");
  check_words "nothing" [] (tally " \n\t.;-");
  check_words "at both ends" [ ("x", 2); ("y", 1) ] (tally "x y x")

let equal_counts_rank_by_word () =
  let t = tally "c b a b c d" in
  check_words "all" [ ("b", 2); ("c", 2); ("a", 1); ("d", 1) ] t;
  Alcotest.(check (list (pair string int))) "top 3" [ ("b", 2); ("c", 2); ("a", 1) ] (Tally.top t 3);
  Alcotest.(check int) "total" 6 (Tally.total t);
  Alcotest.(check int) "distinct" 4 (Tally.distinct t)

let short_words_are_left_out () =
  check_words "from 3 bytes" [ ("abc", 1); ("abcd", 1) ] (tally ~min_length:3 "a ab abc abcd")

let merging_adds () =
  List.iter
    (fun (a, b) ->
      let into = tally a in
      Tally.merge ~into (tally b);
      check_words (a ^ " and " ^ b) [ ("x", 3); ("y", 1); ("z", 1) ] into)
    [ ("x y z", "x x"); ("x x", "x y z") ]

let equality_sees_every_difference () =
  let differs a b = Alcotest.(check bool) (a ^ " / " ^ b) false (Tally.equal (tally a) (tally b)) in
  Alcotest.(check bool) "order does not matter" true (Tally.equal (tally "a b a") (tally "b a a"));
  differs "a b" "a a";
  differs "a a b" "a b b";
  differs "a b" "a c";
  differs "a" "a b";
  differs "a b" "a"

(* Texts with long and short words, cut anywhere. *)
let text_and_cuts =
  let open QCheck2.Gen in
  let character =
    frequency [ (6, oneofl [ 'a'; 'B'; '_'; '\xc3'; '7' ]); (2, return ' '); (1, return '\n') ]
  in
  let* text = string_size ~gen:character (int_bound 200) in
  let* cuts = list_size (int_bound 8) (int_bound (String.length text)) in
  return (text, List.sort_uniq Int.compare ((0 :: cuts) @ [ String.length text ]))

let pieces_count_every_word_once =
  QCheck2.Test.make ~name:"pieces" ~count:2000
    ~print:QCheck2.Print.(pair string (list int))
    text_and_cuts
    (fun (text, cuts) ->
      let in_pieces = Tally.create () in
      let rec add = function
        | first :: (last :: _ as rest) ->
            Tally.add_words in_pieces ~min_length:1 text ~first ~last;
            add rest
        | _ -> ()
      in
      add cuts;
      (* The words in another way than the tally's: the text is cut at each character that is not part of a
         word. *)
      let plain = String.map (function '\n' -> ' ' | c -> Char.lowercase_ascii c) text in
      let is_word run = run <> "" && run.[0] <> '7' in
      let expected = List.filter is_word (String.split_on_char ' ' plain) in
      Tally.total in_pieces = List.length expected
      && List.for_all
           (fun word -> Tally.count in_pieces word = List.length (List.filter (String.equal word) expected))
           expected)

(* One file, cut into pieces of any size, on several domains. *)
let a_divided_file_counts_like_a_whole_one dir =
  let random = Random.State.make [| 7 |] in
  let letter _ =
    if Random.State.int random 6 = 0 then ' ' else Char.chr (Char.code 'a' + Random.State.int random 4)
  in
  List.iter
    (fun (size, piece) ->
      write dir "huge" (String.init size letter);
      let { Tree.files; _ } = Tree.below dir in
      let expected = Count.sequentially ~min_length:1 files in
      List.iter
        (fun domains ->
          let found = Weft.run ~domains (fun () -> Count.in_parallel ~piece ~min_length:1 files) in
          let what = Printf.sprintf "%d bytes, pieces of %d, %d domains" size piece domains in
          Alcotest.(check bool) what true (Count.equal expected found))
        [ 1; 2; 3 ])
    [ (0, 1); (1, 1); (1_000, 1); (50_000, 7); (300_000, 1_000); (300_000, 65_536) ]

let no_files_are_no_words () =
  let counts = Count.in_parallel ~min_length:1 [||] in
  Alcotest.(check bool) "equal" true (Count.equal counts (Count.sequentially ~min_length:1 [||]));
  Alcotest.(check int) "words" 0 (Tally.total counts.words)

let many_files_count_alike_and_all_bytes_are_reported dir =
  for i = 1 to 150 do
    write dir
      (Printf.sprintf "%d/%d.txt" (i mod 7) i)
      (String.concat " " (List.init i (fun n -> Printf.sprintf "w%d" (n mod 13))))
  done;
  write dir "binary" "\000";
  let { Tree.files; skipped } = Tree.below dir in
  Alcotest.(check int) "all listed" 151 (Array.length files);
  Alcotest.(check int) "none skipped while listing" 0 (List.length skipped);
  let expected = Count.sequentially ~min_length:1 files in
  Alcotest.(check int) "files" 150 expected.files;
  Alcotest.(check int) "bytes" (Tree.bytes files - 1) expected.bytes;
  Alcotest.(check int) "words" (150 * 151 / 2) (Tally.total expected.words);
  List.iter
    (fun domains ->
      let reported = Atomic.make 0 in
      let on_bytes n = ignore (Atomic.fetch_and_add reported n) in
      let found = Weft.run ~domains (fun () -> Count.in_parallel ~on_bytes ~piece:64 ~min_length:1 files) in
      Alcotest.(check bool) (Printf.sprintf "%d domains" domains) true (Count.equal expected found);
      Alcotest.(check int) "bytes reported" (Tree.bytes files) (Atomic.get reported))
    [ 1; 2; 3; 8 ]

(* --- measuring --- *)

let a_wrong_count_is_found () =
  let way name value = Measure.way name (fun () -> (value, 0.5)) in
  let right = way "right" 1 in
  let measure = Measure.interleaved ~rounds:3 ~equal:Int.equal ~expected:1 in
  Alcotest.(check (result unit string)) "agree" (Ok ()) (measure [ right; way "also right" 1 ]);
  Alcotest.(check (float 0.)) "median" 0.5 (Measure.median right);
  Alcotest.(check (result unit string)) "differ" (Error "wrong") (measure [ right; way "wrong" 2 ])

let the_median_is_the_middle_time () =
  let next = ref 0. in
  let way =
    Measure.way "growing" (fun () ->
        next := !next +. 1.;
        ((), !next))
  in
  ignore (Measure.interleaved ~rounds:5 ~equal:(fun () () -> true) ~expected:() [ way ]);
  Alcotest.(check (float 0.)) "of 1 to 5" 3. (Measure.median way)

let rounds_fit_the_time () =
  List.iter
    (fun (seconds, rounds) ->
      Alcotest.(check int) (Printf.sprintf "%g s" seconds) rounds (Measure.rounds_for seconds))
    [ (100., 1); (2.1, 1); (0.5, 3); (0.25, 7); (0.1, 7); (0.001, 199); (0., 1001) ]

(* --- output --- *)

let names_are_printable () =
  List.iter
    (fun (raw, shown) -> Alcotest.(check string) (String.escaped raw) shown (Printable.name raw))
    [
      ("plain.txt", "plain.txt");
      ("a\nb", "a\\nb");
      ("\xc3\xa9t\xc3\xa9", "\xc3\xa9t\xc3\xa9");
      ("\xe9t\xe9", "\\xe9t\\xe9");
      ("\x1b[31m", "\\x1b[31m");
      ("\xc2\x9b", "\\xc2\\x9b");
      ("back\\slash", "back\\\\slash");
      ("\xf0\x9f", "\\xf0\\x9f");
    ];
  List.iter
    (fun (n, shown) -> Alcotest.(check string) shown shown (Printable.number n))
    [ (0, "0"); (999, "999"); (1000, "1,000"); (1_234_567, "1,234,567"); (-1000, "-1,000") ];
  List.iter
    (fun (n, shown) -> Alcotest.(check string) shown shown (Printable.counted n "file"))
    [ (0, "0 files"); (1, "1 file"); (1000, "1,000 files") ]

(* What a terminal of one line shows after [text]. *)
let on_screen text =
  let screen = Bytes.make 200 ' ' and column = ref 0 in
  String.iter
    (function
      | '\r' -> column := 0
      | c ->
          Bytes.set screen !column c;
          incr column)
    text;
  String.trim (Bytes.to_string screen)

let the_progress_bar_grows_and_is_erased dir =
  let path = Filename.concat dir "screen" in
  let shown () = In_channel.with_open_bin path In_channel.input_all in
  Out_channel.with_open_bin path (fun channel ->
      let half = ref "" in
      (try
         Progress.during (Progress.on channel) ~label:"counting" ~total:200 (fun advance ->
             for _ = 1 to 100 do
               advance 1
             done;
             half := on_screen (shown ());
             raise Exit)
       with Exit -> ());
      Alcotest.(check string) "half-way" "counting [###############...............]  50 %" !half;
      Alcotest.(check string) "erased, after an exception too" "" (on_screen (shown ()));
      let before = shown () in
      Progress.during (Progress.on_terminal channel) ~label:"counting" ~total:2 (fun advance -> advance 1);
      Alcotest.(check string) "not drawn on a file" before (shown ()))

(* --- the program --- *)

let a_known_tree_gives_known_numbers dir =
  write dir "a.txt" "the cat and the dog\n";
  write dir "sub/b.txt" "The end. THE END";
  write dir "sub/deeper/c" "dog_1 dog";
  let answer = words_once [ dir ] in
  check_code "exit code" 0 answer.code;
  Alcotest.(check string) "nothing on standard error" "" answer.err;
  check_ranking "ranking"
    [ ("the", "4"); ("dog", "2"); ("end", "2"); ("and", "1"); ("cat", "1"); ("dog_1", "1") ]
    (ranking answer);
  List.iter
    (fun part -> check_contains "totals" ~part answer.out)
    [
      "3 files, 45 bytes, 11 words, 6 of them different";
      "sequential ";
      "1 domain ";
      "2 domains ";
      "speed-up ";
    ];
  let alone = words [ "--rounds"; "1"; "--domains"; "1"; dir ] in
  check_contains "one domain has nothing to gain" ~part:"      1.00   (1 domain against 1 domain;" alone.out;
  check_ranking "--top 1" [ ("the", "4") ] (ranking (words_once [ "--top"; "1"; dir ]));
  check_ranking "--min-length 4" [ ("dog_1", "1") ] (ranking (words_once [ "--min-length=4"; dir ]))

let a_pipe_gets_no_control_characters dir =
  write dir "a" "colour \x1b[31m red";
  write dir "b\x1b\n\xff" "\000";
  let { code; out; err } = words_once [ dir ] in
  check_code "exit code" 1 code;
  let is_control c = (c < ' ' && c <> '\n') || c = '\127' in
  Alcotest.(check bool) "standard output" false (String.exists is_control out);
  Alcotest.(check bool) "standard error" false (String.exists is_control err);
  check_line "the skipped file" [ "b\\x1b\\n\\xff" ] err

let what_cannot_be_read_is_named_and_skipped dir =
  write dir "good" "word";
  write dir "late_nul" (String.make 8192 'x' ^ "\000");
  write dir "binary" (String.make 8191 'x' ^ "\000");
  Unix.symlink "nowhere" (Filename.concat dir "dangling");
  Unix.mkfifo (Filename.concat dir "pipe") 0o600;
  let answer = words_once [ dir ] in
  check_code "exit code" 1 answer.code;
  Alcotest.(check int) "named" 3 (List.length (lines answer.err));
  List.iter
    (fun part -> check_contains "standard error" ~part answer.err)
    [ "binary: binary: it has a NUL byte"; "dangling: No such file"; "pipe: neither a file" ];
  check_contains "the others are counted" ~part:"2 files, 8,197 bytes, 2 words" answer.out

let a_file_without_permission_is_named dir =
  write dir "good" "word";
  write dir "secret" "word";
  Unix.chmod (Filename.concat dir "secret") 0;
  match Unix.openfile (Filename.concat dir "secret") [ O_RDONLY ] 0 with
  | readable ->
      (* The superuser may read every file. *)
      Unix.close readable;
      check_code "exit code" 0 (words_once [ dir ]).code
  | exception Unix.Unix_error (EACCES, _, _) ->
      let answer = words_once [ dir ] in
      check_code "exit code" 1 answer.code;
      check_line "named" [ "secret: Permission denied" ] answer.err

let a_file_that_has_gone_is_named dir =
  write dir "here" "word";
  write dir "gone" "word";
  let { Tree.files; _ } = Tree.below dir in
  Sys.remove (Filename.concat dir "gone");
  Unix.mkfifo (Filename.concat dir "gone") 0o600;
  let counts = Count.sequentially ~min_length:1 files in
  Alcotest.(check int) "files" 1 counts.files;
  Sys.remove (Filename.concat dir "gone");
  let counts = Weft.run ~domains:2 (fun () -> Count.in_parallel ~min_length:1 files) in
  Alcotest.(check int) "files" 1 counts.files;
  match counts.skipped with
  | [ { path; reason = Unreadable _ } ] -> Alcotest.(check string) "path" (Filename.concat dir "gone") path
  | _ -> Alcotest.fail "not named as unreadable"

let of_many_skipped_files_ten_are_named dir =
  for i = 1 to 25 do
    write dir (Printf.sprintf "binary%d" i) "\000"
  done;
  let answer = words_once [ dir ] in
  check_code "exit code" 1 answer.code;
  Alcotest.(check int) "a line with the number, and ten" 11 (List.length (lines answer.err));
  check_contains "the number" ~part:"25 files" answer.err;
  let answer = words_once [ "--verbose"; dir ] in
  Alcotest.(check int) "--verbose" 25 (List.length (lines answer.err))

let nothing_readable_is_no_word dir =
  write dir "binary" "\000";
  let answer = words_once [ dir ] in
  check_code "exit code" 1 answer.code;
  check_line "named" [ "binary" ] answer.err;
  check_contains "totals" ~part:"0 files, 0 bytes, 0 words, 0 of them different" answer.out;
  Alcotest.(check bool) "no times" false (contains "speed-up" answer.out)

let links_to_directories_are_not_followed dir =
  write dir "sub/a" "word";
  Unix.symlink ".." (Filename.concat dir "sub/up");
  Unix.symlink "a" (Filename.concat dir "sub/same");
  let answer = words_once [ dir ] in
  check_code "exit code" 0 answer.code;
  check_contains "the file and the link to it" ~part:"2 files, 8 bytes, 2 words" answer.out

let bad_directories_are_one_line dir =
  write dir "file" "word";
  Unix.mkdir (Filename.concat dir "empty") 0o700;
  let missing = Filename.concat dir "missing" in
  List.iter
    (fun (what, name, parts) ->
      let answer = words_once [ Filename.concat dir name ] in
      check_code what 2 answer.code;
      Alcotest.(check string) (what ^ ": no output") "" answer.out;
      check_line what (name :: parts) answer.err)
    [
      ("missing", "missing", [ "No such file or directory" ]);
      ("a file", "file", [ "not a directory" ]);
      ("empty", "empty", [ "no files" ]);
    ];
  (* No compiler can be found, and no DIR is given. *)
  let answer = words ~env:[ ("PATH", missing) ] [] in
  check_code "no compiler" 2 answer.code;
  check_line "no compiler" [ "give a directory" ] answer.err

let the_default_is_the_library_of_the_compiler dir =
  (* A compiler that reports [dir]/lib as its library, in a PATH of its own. *)
  write dir "lib/a.ml" "let x = x";
  write dir "lib/sub/b.mli" "val x";
  write dir "lib/a.cmx" "\000";
  write dir "bin/ocamlc" (Printf.sprintf "#!/bin/sh\n[ \"$1\" = -where ] && echo '%s/lib'\n" dir);
  Unix.chmod (Filename.concat dir "bin/ocamlc") 0o700;
  let answer = words ~env:[ ("PATH", Filename.concat dir "bin") ] [ "--rounds"; "1"; "--domains"; "2" ] in
  check_code "exit code" 0 answer.code;
  Alcotest.(check string) "nothing on standard error" "" answer.err;
  check_ranking "sources only" [ ("x", "3"); ("let", "1"); ("val", "1") ] (ranking answer)

let wrong_options_are_refused dir =
  write dir "a" "word";
  List.iter
    (fun arguments ->
      let answer = words (arguments @ [ dir ]) in
      let what = String.concat " " arguments in
      check_code what 124 answer.code;
      Alcotest.(check string) (what ^ ": no output") "" answer.out;
      check_contains what ~part:"words: " answer.err)
    [
      [ "--domains"; "0" ];
      [ "--domains"; "129" ];
      [ "--domains"; "nan" ];
      [ "--top"; "-1" ];
      [ "--top=99999999999999999999" ];
      [ "--min-length"; "0" ];
      [ "--rounds"; "" ];
      [ "--unknown" ];
      [ "." ];
    ]

let counts_that_differ_have_their_own_exit_code dir =
  (* A file whose content differs at each reading. *)
  let fresh = "/proc/sys/kernel/random/uuid" in
  if Sys.file_exists fresh then begin
    Unix.symlink fresh (Filename.concat dir "changing");
    let answer = words_once [ dir ] in
    check_code "exit code" 3 answer.code;
    Alcotest.(check string) "no output" "" answer.out;
    check_line "says so" [ "differs" ] answer.err
  end

let an_unwritable_output_is_an_error dir =
  if Sys.file_exists "/dev/full" then begin
    write dir "a" "word";
    let err = Filename.temp_file "words" ".err" in
    let command = Filename.quote_command words_exe ~stdout:"/dev/full" ~stderr:err [ "--rounds"; "1"; dir ] in
    let code = Sys.command command in
    let message = In_channel.with_open_bin err In_channel.input_all in
    Sys.remove err;
    check_code "exit code" 2 code;
    check_line "standard error" [ "words: cannot write the result" ] message
  end

let () =
  let test name f = Testing.Watchdog.case name f in
  let with_dir name f = test name (in_scratch f) in
  let property name cell =
    test name (fun () -> QCheck2.Test.check_exn ~rand:(Random.State.make [| 42 |]) cell)
  in
  Alcotest.run "words"
    [
      ( "tally",
        [
          test "a word is a longest run" a_word_is_a_longest_run;
          test "equal counts rank by word" equal_counts_rank_by_word;
          test "short words are left out" short_words_are_left_out;
          test "merging adds" merging_adds;
          test "equality sees every difference" equality_sees_every_difference;
          property "pieces count every word once" pieces_count_every_word_once;
        ] );
      ( "count",
        [
          with_dir "a divided file counts like a whole one" a_divided_file_counts_like_a_whole_one;
          with_dir "many files count alike" many_files_count_alike_and_all_bytes_are_reported;
          test "no files are no words" no_files_are_no_words;
          with_dir "a file that has gone is named" a_file_that_has_gone_is_named;
        ] );
      ( "measure",
        [
          test "a wrong count is found" a_wrong_count_is_found;
          test "the median is the middle time" the_median_is_the_middle_time;
          test "rounds fit the time" rounds_fit_the_time;
        ] );
      ( "output",
        [
          test "names are printable" names_are_printable;
          with_dir "the progress bar grows and is erased" the_progress_bar_grows_and_is_erased;
          with_dir "a pipe gets no control characters" a_pipe_gets_no_control_characters;
        ] );
      ( "program",
        [
          with_dir "a known tree gives known numbers" a_known_tree_gives_known_numbers;
          with_dir "what cannot be read is named and skipped" what_cannot_be_read_is_named_and_skipped;
          with_dir "a file without permission is named" a_file_without_permission_is_named;
          with_dir "of many skipped files ten are named" of_many_skipped_files_ten_are_named;
          with_dir "nothing readable is no word" nothing_readable_is_no_word;
          with_dir "links to directories are not followed" links_to_directories_are_not_followed;
          with_dir "bad directories are one line" bad_directories_are_one_line;
          with_dir "the default is the compiler's library" the_default_is_the_library_of_the_compiler;
          with_dir "wrong options are refused" wrong_options_are_refused;
          with_dir "counts that differ have their own exit code" counts_that_differ_have_their_own_exit_code;
          with_dir "an unwritable output is an error" an_unwritable_output_is_an_error;
        ] );
    ]
