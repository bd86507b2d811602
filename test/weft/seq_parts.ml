open Support
module Seq = Weft.Seq

let list = Alcotest.(check (list int))

(* --- how often, and when --- *)

(* What a use calls for each element of a source of [n]. *)
let calls_of n make use =
  let calls = Array.init n (fun _ -> Atomic.make 0) in
  let s =
    make (fun i ->
        Atomic.incr calls.(i);
        i)
  in
  Array.iteri (fun i c -> if Atomic.get c > 0 then Alcotest.failf "element %d before it is used" i) calls;
  use s;
  Array.map Atomic.get calls

let expect_calls what expected calls =
  Array.iteri
    (fun i c ->
      if c <> expected i then Alcotest.failf "%s: %d calls for element %d of %d" what c i (Array.length calls))
    calls

(* Elements that have numbers are computed if they are wanted, and once. *)
let only_what_is_wanted () =
  in_each_size @@ fun () ->
  List.iter
    (fun n ->
      let run s = ignore (Seq.to_array s) in
      let wanted what make expected = expect_calls what expected (calls_of n make run) in
      let all = Seq.init n and once holds = Bool.to_int holds in
      wanted "take" (fun f -> Seq.take 7 (all f)) (fun i -> once (i < 7));
      wanted "drop" (fun f -> Seq.drop 7 (all f)) (fun i -> once (i >= 7));
      wanted "split_at" (fun f -> snd (Seq.split_at 7 (all f))) (fun i -> once (i >= 7));
      wanted "rev" (fun f -> Seq.rev (all f)) (fun _ -> 1);
      wanted "take of rev" (fun f -> Seq.take 7 (Seq.rev (all f))) (fun i -> once (n - i <= 7));
      wanted "step_by" (fun f -> Seq.step_by 3 (all f)) (fun i -> once (i mod 3 = 0));
      wanted "chunks" (fun f -> Seq.chunks 3 (all f)) (fun _ -> 1);
      wanted "zip" (fun f -> Seq.zip (all f) (Seq.of_range 1 7)) (fun i -> once (i < 7));
      wanted "zip of what is collected"
        (fun f -> Seq.zip (Seq.of_range 1 n) (Seq.filter (fun _ -> true) (all f)))
        (fun _ -> 1);
      wanted "map2 of append"
        (fun f -> Seq.map2 ( + ) (Seq.append (Seq.return 1) (all f)) (Seq.of_range 0 n))
        (fun _ -> 1);
      wanted "rev of what is collected" (fun f -> Seq.rev (Seq.filter (fun _ -> true) (all f))) (fun _ -> 1);
      wanted "flatten" (fun f -> Seq.flatten (Seq.of_list [ all f; Seq.empty ])) (fun _ -> 1);
      wanted "windows"
        (fun f -> Seq.windows 2 (all f))
        (fun i -> if n < 2 then 0 else if i = 0 || i = n - 1 then 1 else 2);
      let consumed what use expected = expect_calls what expected (calls_of n all use) in
      consumed "partition_to_arrays"
        (fun s -> ignore (Seq.partition_to_arrays (fun x -> x > 3) s))
        (fun _ -> 1);
      consumed "iter2" (fun s -> Seq.iter2 (fun _ _ -> ()) s (Seq.of_range 1 7)) (fun i -> once (i < 7));
      consumed "for_all2" (fun s -> ignore (Seq.for_all2 (fun _ _ -> true) s s)) (fun _ -> 2);
      consumed "fold_left2" (fun s -> Seq.fold_left2 (fun () _ _ -> ()) () s s) (fun _ -> 2);
      consumed "min_by" (fun s -> ignore (Seq.min_by ~key:Fun.id Int.compare s)) (fun _ -> 1);
      consumed "iteri" (Seq.iteri (fun _ _ -> ())) (fun _ -> 1);
      consumed "equal, other lengths" (fun s -> ignore (Seq.equal ( = ) s (Seq.of_range 0 n))) (fun _ -> 0))
    [ 1; 100; 5_000 ]

let lengths_are_known () =
  let never _ = Alcotest.fail "it was called" in
  let s = Seq.init 100 never in
  List.iter
    (fun (what, expected, got) -> check_int what expected (got ()))
    [
      ("take", 7, fun () -> Seq.(length (take 7 s)));
      ("take more", 100, fun () -> Seq.(length (take 700 s)));
      ("drop", 93, fun () -> Seq.(length (drop 7 s)));
      ("drop more", 0, fun () -> Seq.(length (drop 700 s)));
      ("rev", 100, fun () -> Seq.(length (rev s)));
      ("step_by", 34, fun () -> Seq.(length (step_by 3 s)));
      ("chunks", 34, fun () -> Seq.(length (chunks 3 s)));
      ("windows", 98, fun () -> Seq.(length (windows 3 s)));
      ("windows, too long", 0, fun () -> Seq.(length (windows 101 s)));
      ("windows, of any length", 0, fun () -> Seq.(length (windows max_int s)));
      ("zip", 7, fun () -> Seq.(length (zip s (of_range 1 7))));
      ("chunks of all", 1, fun () -> Seq.(length (chunks max_int (init max_int never))));
    ]

(* The positions of a scan have several elements each; those of filtered ones, any number. *)
let parts_inside_positions () =
  in_each_size @@ fun () ->
  let n = 1_000 in
  let sums = Seq.scan ( + ) (Seq.of_range 1 n)
  and some = Seq.filter (fun x -> x mod 3 = 0) (Seq.of_range 1 n) in
  List.iter
    (fun s ->
      let all = Seq.to_list s in
      List.iter
        (fun k ->
          list "take" (List.take k all) (Seq.to_list (Seq.take k s));
          list "drop" (List.drop k all) (Seq.to_list (Seq.drop k s));
          list "take of drop" (List.take 5 (List.drop k all)) (Seq.to_list (Seq.take 5 (Seq.drop k s)));
          let numbered = Seq.mapi (fun i x -> (2 * x) + i) (Seq.drop k s) in
          list "numbered" (List.mapi (fun i x -> (2 * x) + i) (List.drop k all)) (Seq.to_list numbered))
        [ 0; 1; 14; 15; 16; 17; 30; 31; 32; 33; 34; 35; 100; 332; 333; 334; 999; 1_000; 1_001 ])
    [
      sums; some; Seq.append some sums; Seq.flat_map (fun k -> Seq.of_range 1 (k mod 5)) (Seq.of_range 1 200);
    ]

(* Of an endless sequence, too. *)
let parts_of_what_does_not_end () =
  in_each_size @@ fun () ->
  let all = Seq.of_range 0 (max_int - 1) in
  let even = Seq.filter (fun x -> x land 1 = 0) all in
  list "take" [ 0; 2; 4 ] (Seq.to_list (Seq.take 3 even));
  list "take of drop" [ 2000; 2002 ] (Seq.to_list (Seq.take 2 (Seq.drop 1000 even)));
  list "step_by" [ 0; 1000; 2000 ] (Seq.to_list (Seq.take 3 (Seq.step_by 1000 all)));
  list "last ones" [ max_int - 1; max_int - 2 ] (Seq.to_list (Seq.take 2 (Seq.rev all)));
  list "zip" [ 10; 21; 32 ] (Seq.to_list (Seq.map2 ( + ) even (Seq.of_list [ 10; 19; 28 ])));
  list "zip, the other way" [ 10; 21; 32 ] (Seq.to_list (Seq.map2 ( + ) (Seq.of_list [ 10; 19; 28 ]) even));
  (* Inside one position. *)
  let inner = Seq.flat_map (fun _ -> even) (Seq.return ()) in
  list "take in flat_map" [ 0; 2; 4 ] (Seq.to_list (Seq.take 3 inner));
  list "take inside flat_map" [ 0; 2; 4; 0; 2; 4 ]
    (Seq.to_list (Seq.flat_map (fun _ -> Seq.take 3 even) (Seq.of_range 1 2)));
  list "take of take" [ 0; 2 ] (Seq.to_list (Seq.take 2 (Seq.flat_map (fun _ -> Seq.take 3 even) all)));
  Alcotest.(check (option int)) "find_index" (Some 5000) (Seq.find_index (fun x -> x >= 5_000) all);
  Alcotest.(check (result int int))
    "try_fold" (Error 5000)
    (Seq.try_fold ~combine:( + )
       (fun n x -> if x >= 5_000 then Error x else Ok (n + x))
       0 (Seq.of_range 0 1_000_000))

(* Of several errors it is the leftmost, though one further right comes before its turn. *)
let the_leftmost_error () =
  in_each_size @@ fun () ->
  for _ = 1 to 5 do
    let add n x =
      if x < 100 then spin 20_000;
      if x = 9_000 || x >= 15_000 then Error x else Ok (n + x)
    in
    Alcotest.(check (result int int))
      "try_fold" (Error 9_000)
      (Seq.try_fold ~combine:( + ) add 0 (Seq.of_range 0 20_000))
  done

let an_exception_ends_it () =
  in_each_size @@ fun () ->
  let add n x = if x = 5_000 then failwith "failing" else if x = 15_000 then Error x else Ok (n + x) in
  match Seq.try_fold ~combine:( + ) add 0 (Seq.of_range 0 20_000) with
  | Ok _ | Error _ -> Alcotest.fail "no exception"
  | exception Failure what -> Alcotest.(check string) "exception" "failing" what

(* Elements are counted, and then run again: there may be fewer of them by then. *)
let fewer_elements_at_the_second_run () =
  in_each_size @@ fun () ->
  let n = 32 in
  let part_of_new make =
    let runs = Array.init n (fun _ -> Atomic.make 0) in
    let at_first i = Atomic.fetch_and_add runs.(i) 1 = 0 in
    Seq.length (Seq.map succ (make (Seq.filter at_first (Seq.of_array (Array.init n Fun.id)))))
  in
  for k = 1 to n do
    check "take" (part_of_new (Seq.take k) <= k);
    check "drop" (part_of_new (Seq.drop k) <= n);
    check "split_at" (part_of_new (fun s -> snd (Seq.split_at k s)) <= n)
  done

(* Each inner sequence waits until all tasks of the pool are inside the same one. *)
let inner_sequences_are_shared () =
  List.iter
    (fun domains ->
      Weft.run ~domains @@ fun () ->
      let inside = Atomic.make 0 in
      let meet _ =
        Atomic.incr inside;
        yield_until "all are inside" (fun () -> Atomic.get inside >= domains)
      in
      Seq.iter meet (Seq.flatten (Seq.return (Seq.of_range 1 domains))))
    [ 1; 2; 8 ]

(* --- cancellation --- *)

(* A step that is cancelled while it counts or collects ends, and no element is computed after that. *)
let cancelled_while_it_counts () =
  in_each_size @@ fun () ->
  let endless = Seq.filter (fun _ -> true) (Seq.of_range 0 (max_int - 1)) in
  let ends what use =
    let token = Weft.Cancel.create () and calls = Atomic.make 0 in
    (* Nobody knows which elements come first. *)
    let stop _ =
      if Atomic.fetch_and_add calls 1 = 10_000 then Weft.Cancel.cancel token;
      false
    in
    match Weft.Cancel.within token (fun () -> use (Seq.filter stop endless)) with
    | () -> Alcotest.failf "%s returned" what
    | exception Weft.Cancel.Cancelled _ -> ()
  in
  let run s = Seq.iter ignore s in
  ends "take" (fun s -> run (Seq.take 5 s));
  ends "drop" (fun s -> run (Seq.drop 5 s));
  ends "zip" (fun s -> run (Seq.zip s s));
  ends "rev" (fun s -> run (Seq.rev s));
  ends "flatten" (fun s -> run (Seq.flatten (Seq.map Seq.return s)));
  ends "inside flat_map" (fun s -> run (Seq.flat_map (fun () -> Seq.take 5 s) (Seq.return ())));
  ends "equal" (fun s -> ignore (Seq.equal ( = ) s s));
  ends "partition_to_arrays" (fun s -> ignore (Seq.partition_to_arrays (fun _ -> true) s));
  ends "iter2" (fun s -> Seq.iter2 (fun _ _ -> ()) s s);
  ends "exists2" (fun s -> ignore (Seq.exists2 (fun _ _ -> false) s s));
  ends "fold_left2" (fun s -> Seq.fold_left2 (fun () _ _ -> ()) () s s);
  ends "concat_strings" (fun s -> ignore (Seq.concat_strings "" (Seq.map string_of_int s)))

(* The pool is closed while a step waits. *)
let ended_by_their_pool () =
  let never = Weft.Ivar.create () in
  let waiting = Seq.filter (fun _ -> Weft.Ivar.read never) (Seq.of_range 1 100) in
  let ends use = waits_and_is_ended (fun () -> ignore (use waiting : int)) in
  ends (fun s -> Seq.sum (Seq.take 2 s));
  ends (fun s -> Seq.sum (Seq.drop 2 s));
  ends (fun s -> Seq.sum (Seq.rev s));
  ends (fun s -> Seq.sum (Seq.map2 ( + ) s s));
  ends (fun s -> Seq.sum (Seq.flatten (Seq.map Seq.return s)));
  ends (fun s -> Seq.compare Int.compare s s);
  ends (fun s -> Array.length (fst (Seq.partition_to_arrays (fun _ -> true) s)));
  ends (fun s -> Seq.fold_left2 (fun n _ _ -> n) 0 s s)

(* --- texts --- *)

let white c = c = ' ' || c = '\n'

let words_of text =
  List.filter (( <> ) "") (String.split_on_char ' ' (String.map (fun c -> if white c then ' ' else c) text))

let lines_of text =
  match List.rev (String.split_on_char '\n' text) with "" :: l -> List.rev l | l -> List.rev l

let bigarray_of text =
  let a = Bigarray.(Array1.create char c_layout (String.length text)) in
  String.iteri (fun i c -> a.{i} <- c) text;
  a

let check_text what text t =
  let open Seq.Text in
  let strings = Alcotest.(check (list string)) and what part = Printf.sprintf "%s of %S: %s" what text part in
  check_int (what "length") (String.length text) (length t);
  strings (what "lines") (lines_of text) (Seq.to_list (lines t));
  strings (what "tokens") (words_of text) (Seq.to_list (tokens ~is_space:white t));
  strings (what "split_on_char") (String.split_on_char 'b' text) (Seq.to_list (split_on_char 'b' t));
  strings (what "inside")
    (words_of text @ words_of text)
    (Seq.to_list (Seq.flat_map tokens (Seq.of_list [ t; t ])));
  Alcotest.(check string) (what "chars") text (Seq.to_string (chars t))

let all_short_texts () =
  Weft.run ~domains:2 @@ fun () ->
  let byte = [| ' '; '\n'; 'a'; 'b' |] in
  for length = 0 to 5 do
    for code = 0 to (1 lsl (2 * length)) - 1 do
      let text = String.init length (fun i -> byte.((code lsr (2 * i)) land 3)) in
      for block = 1 to Int.min 3 (length + 1) do
        check_text (Printf.sprintf "blocks of %d" block) text (Seq.Private.text ~block text)
      done
    done
  done

let with_file text use =
  let path = Filename.temp_file "weft" ".txt" in
  Fun.protect
    ~finally:(fun () -> Sys.remove path)
    (fun () ->
      Out_channel.with_open_bin path (fun channel -> output_string channel text);
      use path)

let long_texts () =
  in_each_size @@ fun () ->
  let word i = String.make (if i = 50 then 30_000 else i * 517 mod 90) (Char.chr (97 + (i mod 26))) in
  let text = String.concat "" (List.init 1_000 (fun i -> word i ^ if i mod 7 = 0 then "\n" else " ")) in
  List.iter
    (fun text ->
      let open Seq.Text in
      check_text "string" text (of_string text);
      check_text "bytes" text (of_bytes (Bytes.of_string text));
      check_text "bigarray" text (of_bigarray (bigarray_of text));
      with_file text (fun path -> check_text "file" text (of_file path)))
    [ text; "a"; "" ]

let elements_of_memory () =
  in_each_size @@ fun () ->
  let n = 10_000 in
  let text = String.init n (fun i -> Char.chr (i * 7 mod 256)) in
  Alcotest.(check string) "string" text (Seq.to_string (Seq.of_string text));
  Alcotest.(check string) "bytes" text (Bytes.to_string (Seq.to_bytes (Seq.of_bytes (Bytes.of_string text))));
  Alcotest.(check string) "bigarray" text (Seq.to_string (Seq.of_bigarray (bigarray_of text)));
  let expected = List.init n (fun i -> i * 3) in
  let check_kind (type b c) what kind (layout : c Bigarray.layout) =
    let a : (int, b, c) Bigarray.Array1.t = Bigarray.Array1.init kind layout n (fun _ -> 0) in
    let base = match layout with C_layout -> 0 | Fortran_layout -> 1 in
    List.iteri (fun i x -> a.{i + base} <- x land 127) expected;
    let expected = List.map (fun x -> x land 127) expected in
    list what expected (Seq.to_list (Seq.of_bigarray a));
    list what (List.rev expected) (Seq.to_list (Seq.rev (Seq.of_bigarray a)))
  in
  check_kind "int" Int C_layout;
  check_kind "int, Fortran" Int Fortran_layout;
  check_kind "int8" Int8_signed C_layout;
  check_kind "int16" Int16_unsigned Fortran_layout

let files_that_cannot_be_mapped () =
  Testing.Folder.within "weft" @@ fun directory ->
  let pipe = Filename.concat directory "pipe" in
  Unix.mkfifo pipe 0o600;
  List.iter
    (fun path ->
      match Seq.Text.of_file path with
      | _ -> Alcotest.failf "%s was mapped" path
      | exception Sys_error message -> check message (String.starts_with ~prefix:(path ^ ": ") message))
    [ "/nowhere/at all"; Filename.get_temp_dir_name (); "/dev/null"; "/proc/self/status"; pipe ]

let tests =
  [
    case "elements that are not wanted are not computed" only_what_is_wanted;
    case "lengths are known without a call" lengths_are_known;
    case "parts that begin or end inside positions" parts_inside_positions;
    case "parts of what does not end" parts_of_what_does_not_end;
    case "the leftmost error is given" the_leftmost_error;
    case "an exception ends a fold that has no error further left" an_exception_ends_it;
    case "elements that are no longer there when they are run again" fewer_elements_at_the_second_run;
    case "one inner sequence is run by several tasks" inner_sequences_are_shared;
    case "cancelled while it counts or collects" cancelled_while_it_counts;
    case "ended by the closing of their pool" ended_by_their_pool;
    case "words, lines and fields of all short texts" all_short_texts;
    case "words, lines and fields of long texts" long_texts;
    case "elements of memory" elements_of_memory;
    case "files that cannot be mapped" files_that_cannot_be_mapped;
  ]
