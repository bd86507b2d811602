(* Logs of several segments: which states of their files a kill may leave, and which are damage. *)

open Support

let payloads = List.init 40 (fun i -> String.make (20 + i) 'r')
let fill log = List.iter (fun s -> ignore (Log.append log s)) payloads
let segment_size = 300
let last_payload = List.nth payloads (List.length payloads - 1)

(* A log of many segments, the last of which was begun and has no records. *)
let begun f =
  in_directory @@ fun path ->
  let files =
    killed ~segment_size path (fun log ->
        fill log;
        Log.sync log)
  in
  let name, text = last files in
  let empty =
    (* The header of another segment that would begin at the end of this one. *)
    let base = Option.get (Weft_containers.Log_format.base_of_file_name name) + String.length text - 64 in
    let b = Bytes.of_string (String.sub text 0 64) in
    (match Weft_containers.Log_format.get_segment b with
    | Ok s ->
        Weft_containers.Log_format.set_segment b { s with base; first_number = List.length payloads + 1 }
    | Error e -> Alcotest.fail e);
    (Weft_containers.Log_format.file_name base, Bytes.to_string b)
  in
  f path (files @ [ empty ])

let a_segment_that_was_being_made () =
  begun @@ fun path files ->
  let name, text = last files in
  for size = 0 to 64 do
    List.iter
      (fun text ->
        restore path (set files name text);
        opened ~segment_size path (fun log ->
            check_strings (Printf.sprintf "%d bytes" size) payloads (contents log);
            Alcotest.(check bool) "cut off" (size < 64) (Option.is_some (Log.recovery log).cut);
            ignore (Log.append log "more"));
        opened path (fun log -> check_strings "more" (payloads @ [ "more" ]) (contents log)))
      (if size = 64 then [ text ] else [ String.sub text 0 size; String.make size '\000' ])
  done

(* Checks twice: a damaged log is not changed. *)
let check_damage what path name offset =
  let before = image path in
  let check () = Alcotest.(check (option (pair string int))) what (Some (name, offset)) (damaged path) in
  check ();
  Alcotest.(check bool) (what ^ ": unchanged") true (image path = before);
  check ()

let segments_before_the_last_must_be_whole () =
  begun @@ fun path files ->
  let count = List.length files in
  List.iteri
    (fun i (name, text) ->
      if i < count - 1 then begin
        let size = String.length text in
        restore path (set files name (String.sub text 0 (size - 1)));
        check_damage "short" path name (size - 1);
        restore path (set files name (text ^ "x"));
        check_damage "long" path name size;
        restore path (set files name (flip text 40 1));
        check_damage "header" path name 0;
        restore path (set files name (flip text 70 1));
        check_damage "record" path name 64;
        restore path (set files name (flip text (size - 1) 128));
        Alcotest.(check bool) "last record" true (damaged path <> None);
        if i > 0 then begin
          restore path (List.remove_assoc name files);
          check_damage "missing" path
            (fst (List.nth files (i - 1)))
            (String.length (snd (List.nth files (i - 1))))
        end
      end)
    files

let segments_without_those_before () =
  begun @@ fun path files ->
  let name, text = last files in
  restore path [ (name, text) ];
  opened path (fun log -> Alcotest.(check int) "as if dropped" 0 (Log.length log));
  restore path [ (name, String.sub text 0 63) ];
  check_damage "incomplete" path name 0

let segments_of_another_log () =
  begun @@ fun path files ->
  let other = in_directory @@ fun path -> killed ~segment_size path fill in
  let name = fst (List.nth files 3) in
  restore path (set files name (List.assoc name other));
  check_damage "another log's" path name 16;
  let second = fst (List.nth files 1) in
  restore path (set files name (List.assoc second files));
  check_damage "another place's" path name 0

(* The next segment was begun after all of this one was on the disk: so this one must be whole, whatever
   became of the next. *)
let a_segment_that_was_followed_is_whole () =
  begun @@ fun path files ->
  let next = fst (last files) in
  let name, text = List.nth files (List.length files - 2) in
  let all_but_next = set files next "" in
  restore path (set all_but_next name (flip text (String.length text - 1) 1));
  let last_record = String.length text - 24 - String.length last_payload in
  check_damage "flipped" path name last_record;
  restore path (set all_but_next name (String.sub text 0 (String.length text - 1)));
  check_damage "cut" path name (String.length text - 1)

let versions_not_known () =
  in_directory @@ fun path ->
  let files = killed path fill in
  let name, text = last files in
  let b = Bytes.of_string text in
  Bytes.set_int32_le b 8 2l;
  Bytes.set_int32_le b 60 (Int32.of_int (Weft_containers.Crc32c.extend 0 b 0 60));
  restore path (set files name (Bytes.to_string b));
  match opened path ignore with
  | () -> Alcotest.fail "opened"
  | exception (Log.Damaged { reason; _ } as e) ->
      Alcotest.(check string) "reason" "the format is of version 2, and only 1 is known" reason;
      Alcotest.(check string)
        "as text"
        (Filename.concat path name ^ ": damaged at offset 0: " ^ reason ^ "; restore the file from a copy")
        (Printexc.to_string e)

let other_files_do_not_matter () =
  in_directory @@ fun path ->
  opened path fill;
  List.iter (fun name -> write_file (Filename.concat path name) "?") [ "README"; "1.log"; "x.log" ];
  opened path (fun log -> check_strings "contents" payloads (contents log))

(* Damage in an earlier segment is found when it is read, after what comes before it. *)
let damage_is_found_by_reading () =
  begun @@ fun path files ->
  let name, text = List.nth files 2 in
  restore path (set files name (flip text (String.length text - 1) 1));
  opened path @@ fun log ->
  let read = ref [] in
  (match Log.iter (fun _ s -> read := s :: !read) log with
  | () -> Alcotest.fail "not noticed"
  | exception Log.Damaged { file; _ } -> Alcotest.(check string) "file" name (Filename.basename file));
  let n = List.length !read in
  check_strings "read" (List.filteri (fun i _ -> i < n) payloads) (List.rev !read);
  Alcotest.(check bool) "up to there" true (n > 10)

let tests =
  [
    test "a segment that was being made" a_segment_that_was_being_made;
    test "segments before the last must be whole" segments_before_the_last_must_be_whole;
    test "segments without those before" segments_without_those_before;
    test "segments of another log" segments_of_another_log;
    test "a segment that was followed is whole" a_segment_that_was_followed_is_whole;
    test "versions not known" versions_not_known;
    test "other files do not matter" other_files_do_not_matter;
    test "damage is found by reading" damage_is_found_by_reading;
  ]
