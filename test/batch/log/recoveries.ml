(* What is left of a log after a kill or damage to its files. *)

open Support

let header = 64
let check_bool = Alcotest.(check bool)

(* Records of several lengths, each synced before the next one, and groups. *)
let groups =
  [ [ "first" ]; [ "" ]; [ "x"; "yy"; "zzz" ]; [ String.make 70 'p' ]; [ "q"; "" ]; [ "last one" ] ]

let all = List.concat groups

let append_group ?(sync = true) log g =
  ignore (Log.append_many log (Array.of_list g));
  if sync then Log.sync log

(* The offsets at which the groups end, if nothing else is in the file. *)
let ends =
  List.rev
    (List.fold_left
       (fun es g -> List.fold_left (fun e r -> e + 24 + String.length r) (List.hd es) g :: es)
       [ header ] groups)

(* The groups that are whole within the first [size] bytes. *)
let whole size = List.concat (List.filteri (fun i _ -> List.nth ends (i + 1) <= size) groups)

(* Recovers, appends, closes and opens once more: the log is in order again. *)
let check_recovered what path expected =
  let cut =
    opened path (fun log ->
        check_strings what expected (contents log);
        Alcotest.(check int) (what ^ ": records") (List.length expected) (Log.recovery log).records;
        ignore (Log.append log "more");
        (Log.recovery log).cut)
  in
  opened path (fun log ->
      check_strings (what ^ ": more") (expected @ [ "more" ]) (contents log);
      check_bool (what ^ ": nothing cut off now") true ((Log.recovery log).cut = None));
  cut

let cut_at_every_byte () =
  in_directory @@ fun path ->
  let try_all ~sync =
    let files = killed path (fun log -> List.iter (append_group ~sync log) groups) in
    let name, text = last files in
    for size = 0 to String.length text do
      restore path (set files name (String.sub text 0 size));
      let what = Printf.sprintf "%d bytes" size in
      let cut = check_recovered what path (whole size) in
      let left =
        if size < header then 0 else List.fold_left (fun m e -> if e <= size then e else m) header ends
      in
      match cut with
      | None -> Alcotest.(check int) (what ^ ": nothing cut off") left size
      | Some { file; offset; bytes; reason = _ } ->
          Alcotest.(check (triple string int int))
            (what ^ ": cut off")
            (name, left, size - left)
            (Filename.basename file, offset, bytes)
    done;
    Support.restore path []
  in
  try_all ~sync:true;
  try_all ~sync:false

(* Each bit of the last group is flipped, and all bits of each byte. *)
let masks = [ 1; 2; 4; 8; 16; 32; 64; 128; 255 ]

let flips_in_the_last_group_are_cut_off () =
  in_directory @@ fun path ->
  let files = killed path (fun log -> List.iter (append_group log) groups) in
  let name, text = last files in
  let start = List.nth ends (List.length ends - 2) in
  for i = start to String.length text - 1 do
    List.iter
      (fun mask ->
        restore path (set files name (flip text i mask));
        match check_recovered (Printf.sprintf "byte %d" i) path (whole start) with
        | Some { offset; _ } -> Alcotest.(check int) "offset" start offset
        | None -> Alcotest.failf "byte %d: not noticed" i)
      masks
  done

(* The offset of the record that contains byte [i]. *)
let record_of i =
  let starts =
    List.rev (List.fold_left (fun ss r -> (List.hd ss + 24 + String.length r) :: ss) [ header ] all)
  in
  List.fold_left (fun m s -> if s <= i then s else m) 0 starts

let check_damaged what path expected =
  let before = image path in
  Alcotest.(check (option (pair string int))) what (Some expected) (damaged path);
  check_bool (what ^ ": unchanged") true (image path = before)

let flips_before_that_are_damage () =
  in_directory @@ fun path ->
  let files = killed path (fun log -> List.iter (append_group log) groups) in
  let name, text = last files in
  for i = 0 to List.nth ends (List.length ends - 2) - 1 do
    restore path (set files name (flip text i (1 lsl (i land 7))));
    check_damaged (Printf.sprintf "byte %d" i) path (name, record_of i);
    restore path (set files name (flip text i 255));
    check_damaged (Printf.sprintf "byte %d" i) path (name, record_of i)
  done

let a_closed_log_knows_every_flip () =
  in_directory @@ fun path ->
  opened path (fun log -> List.iter (append_group ~sync:false log) groups);
  let files = image path in
  let name, text = last files in
  let mark = String.length text - 24 in
  Alcotest.(check int) "a mark at the end" (List.hd (List.rev ends)) mark;
  for i = 0 to mark - 1 do
    restore path (set files name (flip text i (1 lsl (i land 7))));
    check_damaged (Printf.sprintf "byte %d" i) path (name, record_of i)
  done;
  for i = mark to String.length text - 1 do
    restore path (set files name (flip text i 16));
    ignore (check_recovered (Printf.sprintf "byte %d of the mark" (i - mark)) path all)
  done

let zeros_at_the_end () =
  in_directory @@ fun path ->
  let files = killed path (fun log -> List.iter (append_group log) groups) in
  let name, text = last files in
  (* Zeros follow the last record, and replace its end. *)
  List.iter
    (fun n ->
      restore path (set files name (text ^ String.make n '\000'));
      match check_recovered (Printf.sprintf "%d zeros" n) path all with
      | Some { bytes; _ } -> Alcotest.(check int) "cut off" n bytes
      | None -> Alcotest.failf "%d zeros: not noticed" n)
    [ 1; 2; 7; 8; 23; 24; 25; 47; 48; 100; 4096; 100_000 ];
  let start = List.nth ends (List.length ends - 2) in
  for i = start to String.length text - 1 do
    (* The payload has no zeros, so each time something is lost, unless the header's last bytes are zeros. *)
    let zeroed = String.sub text 0 i ^ String.make (String.length text - i) '\000' in
    restore path (set files name zeroed);
    ignore (check_recovered (Printf.sprintf "zeros from %d" i) path (whole start))
  done

(* The later parts of a batch may be on the disk when the earlier ones are not: that is no damage. *)
let holes_in_the_last_batch_are_cut_off () =
  in_directory @@ fun path ->
  let files =
    killed path (fun log ->
        append_group log [ "before" ];
        (* These groups are one batch. *)
        List.iter (append_group ~sync:false log) groups)
  in
  let name, text = last files in
  let start = header + 24 + 6 in
  List.iter2
    (fun e next ->
      let from = start + e - header and until = start + next - header in
      let holed = String.mapi (fun i c -> if i >= from && i < until then '\000' else c) text in
      restore path (set files name holed);
      ignore (check_recovered (Printf.sprintf "hole at %d" from) path ("before" :: whole e)))
    (List.filteri (fun i _ -> i < List.length groups) ends)
    (List.tl ends)

(* The content of a torn record's payload is no record, even if it consists of this log's own bytes. *)
let copies_of_records_are_no_records () =
  in_directory @@ fun path ->
  let own = ref "" in
  let files =
    killed path (fun log ->
        List.iter (append_group log) groups;
        own := snd (last (image path));
        (* An incomplete record full of headers which say that everything before them was synced. *)
        append_group log [ !own ^ !own ^ !own ])
  in
  let name, text = last files in
  for lost = 1 to 300 do
    restore path (set files name (String.sub text 0 (String.length text - lost)));
    ignore (check_recovered (Printf.sprintf "without %d bytes" lost) path all)
  done

(* Each record has a number: none is missing, and none occurs twice. *)
let numbers_follow_each_other () =
  let module Format = Weft_containers.Log_format in
  in_directory @@ fun path ->
  let files = killed path (fun log -> List.iter (append_group log) groups) in
  let name, text = last files in
  let id =
    match Format.get_segment (Bytes.of_string (String.sub text 0 header)) with
    | Ok s -> s.id
    | Error e -> Alcotest.fail e
  in
  let with_number number =
    let b = Bytes.create 24 and position = String.length text - header in
    Format.set_record (Format.seed ~id) b 0 ~position ~length:0 ~crc:0 ~number ~synced:position ~more:false
      ~mark:false;
    set files name (text ^ Bytes.to_string b)
  in
  let next = List.length all + 1 in
  restore path (with_number next);
  ignore (check_recovered "the next" path (all @ [ "" ]));
  List.iter
    (fun number ->
      restore path (with_number number);
      match check_recovered (string_of_int number) path all with
      | Some { reason; _ } ->
          Alcotest.(check string) "reason" (Printf.sprintf "record %d where %d should be" number next) reason
      | None -> Alcotest.failf "record %d: not noticed" number)
    [ 1; next - 1; next + 1; next + 1000; max_int ]

let tests =
  [
    test "cut at every byte" cut_at_every_byte;
    test "flips in the last group are cut off" flips_in_the_last_group_are_cut_off;
    test "flips before that are damage" flips_before_that_are_damage;
    test "a closed log knows every flip" a_closed_log_knows_every_flip;
    test "zeros at the end" zeros_at_the_end;
    test "holes in the last batch are cut off" holes_in_the_last_batch_are_cut_off;
    test "numbers follow each other" numbers_follow_each_other;
    test "copies of records are no records" copies_of_records_are_no_records;
  ]
