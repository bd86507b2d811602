(* Every reader, given anything, ends with a result or with its line, and allocates in proportion to the file. *)

(* Beside what the length of the file excuses: tables, pages and curves have a size of their own. *)
let words_of_its_own = 2_000_000
let words_per_byte = 1_000

let allocated f =
  let before = Gc.minor_words () +. (Gc.quick_stat ()).major_words in
  let outcome = f () in
  (outcome, Float.to_int (Gc.minor_words () +. (Gc.quick_stat ()).major_words -. before))

let check (reader : Reader.t) text =
  let outcome, words = allocated (fun () -> reader.read text) in
  if words > words_of_its_own + (words_per_byte * String.length text) then
    failwith (Printf.sprintf "%d words allocated for a file of %d bytes" words (String.length text));
  match outcome with
  | Ok () -> ()
  | Error line ->
      if line = "" then failwith "an empty message";
      if not (Weft_files.Foreign_text.is_plain line) then failwith (Printf.sprintf "the message %S" line)

let seeds_are_right (reader : Reader.t) () =
  List.iteri
    (fun i text ->
      match reader.read text with
      | Ok () -> ()
      | Error reason -> Alcotest.failf "%s, seed %d: %s" reader.name i reason)
    reader.seeds

let made_by (reader : Reader.t) seed =
  let random = Random.State.make [| seed |] in
  Mutation.damaged random (List.nth reader.seeds (Random.State.int random (List.length reader.seeds)))

let damaged_files (reader : Reader.t) () =
  let count = Testing.Effort.count ~quick:30 ~usual:1_000 ~long:100_000 in
  let print seed = Printf.sprintf "seed %d: %S" seed (made_by reader seed) in
  let seeds = QCheck.make ~print QCheck.Gen.(int_bound 1_000_000_000) in
  let holds seed =
    check reader (made_by reader seed);
    true
  in
  (* The same files in every run, but for the long one, which shall find new ones. *)
  let rand =
    match Testing.Effort.level with
    | Long -> Random.State.make_self_init ()
    | Quick | Usual -> Random.State.make [| 1 |]
  in
  QCheck.Test.check_exn ~rand (QCheck.Test.make ~count ~name:reader.name seeds holds)

let () =
  let each what test =
    (what, List.map (fun (r : Reader.t) -> Testing.Watchdog.case r.name (test r)) Reader.all)
  in
  Alcotest.run ~argv:[| "test_fuzz"; "--compact" |] "fuzz"
    [
      each "correct files are read" seeds_are_right;
      ("hostile files end with a line", Hostile.tests check);
      ("names are shown harmlessly", Names.tests);
      ("temporary files are private", Private_files.tests Sys.argv.(1));
      ("commands end with their exit codes", Commands.tests Sys.argv.(1));
      each "damaged files are read or refused" damaged_files;
    ]
