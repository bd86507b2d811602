(* The checksum and the bytes on the disk: what other programs need to read a log. *)

open Support
module Crc = Weft_containers.Crc32c
module Format = Weft_containers.Log_format

let check_int = Alcotest.(check int)

(* RFC 3720, appendix B.4, and the check value of the catalogues of checksums. *)
let known_checksums () =
  let check what expected s = check_int what expected (Crc.string s) in
  check "digits" 0xe3069283 "123456789";
  check "zeros" 0x8a9136aa (String.make 32 '\000');
  check "ones" 0x62a8ab43 (String.make 32 '\255');
  check "ascending" 0x46dd794e (String.init 32 Char.chr);
  check "descending" 0x113fdb5c (String.init 32 (fun i -> Char.chr (31 - i)));
  check "nothing" 0 ""

(* Computes the checksum bit by bit. *)
let slow_checksum s =
  let step crc c =
    let crc = ref (crc lxor Char.code c) in
    for _ = 1 to 8 do
      crc := if !crc land 1 = 1 then (!crc lsr 1) lxor 0x82f63b78 else !crc lsr 1
    done;
    !crc
  in
  String.fold_left step 0xffffffff s lxor 0xffffffff

let checksums_of_any_strings () =
  let strings = QCheck.(pair (string_of_size (Gen.int_bound 100)) small_nat) in
  let property (s, n) =
    let n = min n (String.length s) and b = Bytes.of_string s in
    let all = Crc.string s in
    all = slow_checksum s && all = Crc.extend (Crc.extend 0 b 0 n) b n (String.length s - n)
  in
  QCheck.Test.check_exn (QCheck.Test.make ~count:2000 strings property);
  Alcotest.check_raises "outside"
    (Invalid_argument "Weft_containers.Crc32c.extend: 3 bytes from 8 are not within 10") (fun () ->
      ignore (Crc.extend 0 (Bytes.create 10) 8 3))

let hex b =
  String.concat "" (List.map (fun c -> Printf.sprintf "%02x" (Char.code c)) (List.of_seq (Bytes.to_seq b)))

let bytes_of_headers () =
  let b = Bytes.create 64 in
  Format.set_segment b { id = 0x0102030405060708; base = 1000; first_number = 7 };
  Alcotest.(check string)
    "segment"
    ("576566744c6f670a" ^ "01000000" ^ "00000000" ^ "0807060504030201" ^ "e803000000000000"
   ^ "0700000000000000" ^ String.make 40 '0' ^ "def88f28")
    (hex b);
  let r = Bytes.create 24 in
  let seed = Format.seed ~id:0x0102030405060708 in
  Format.set_record seed r 0 ~position:1100 ~length:5 ~crc:0xcafe ~number:8 ~synced:1000 ~more:true
    ~mark:false;
  Alcotest.(check string)
    "record"
    ("05000080" ^ "feca0000" ^ "0800000000000000" ^ "64000000" ^ "1013209f")
    (hex r);
  Alcotest.(check bool) "is a record" true (Format.is_record seed r 0 ~position:1100);
  Alcotest.(check bool) "not elsewhere" false (Format.is_record seed r 0 ~position:1101);
  Alcotest.(check bool) "not in another log" false (Format.is_record (Format.seed ~id:1) r 0 ~position:1100);
  Alcotest.(check (list int))
    "what it says" [ 5; 0xcafe; 8; 1000 ]
    [ Format.length r 0; Format.crc r 0; Format.number r 0; Format.synced r 0 ~position:1100 ];
  Format.set_record seed r 0 ~position:(1 lsl 40) ~length:0 ~crc:0 ~number:8 ~synced:5 ~more:false ~mark:true;
  check_int "long ago" (-1) (Format.synced r 0 ~position:(1 lsl 40));
  Alcotest.(check (pair bool bool)) "flags" (false, true) (Format.more r 0, Format.mark r 0)

let names_of_files () =
  let check name expected = Alcotest.(check (option int)) name expected (Format.base_of_file_name name) in
  check (Format.file_name 0) (Some 0);
  check (Format.file_name max_int) (Some max_int);
  check "00000000000000000064.log" (Some 64);
  List.iter
    (fun name -> check name None)
    [
      "lock";
      "64.log";
      "0000000000000000006x.log";
      "99999999999999999999.log";
      "0x000000000000000064.log";
      ".log";
    ]

(* Reads a log by nothing but the documentation of its format, and checks all that it promises. *)
let a_log_is_as_documented () =
  in_directory @@ fun path ->
  let files =
    killed path (fun log ->
        ignore (Log.append log "one");
        Log.sync log;
        ignore (Log.append_many log [| "two"; "" |]))
  in
  let name, s = last files in
  Alcotest.(check string) "name" "00000000000000000000.log" name;
  check_int "size" (64 + (3 * 24) + 6) (String.length s);
  let u32 i = Int32.to_int (String.get_int32_le s i) land 0xffffffff in
  check_int "header" (Crc.string (String.sub s 0 60)) (u32 60);
  let record at ~length ~flags ~number ~unsynced =
    check_int "length" (length lor flags) (u32 at);
    check_int "checksum" (Crc.string (String.sub s (at + 24) length)) (u32 (at + 4));
    check_int "number" number (u32 (at + 8));
    check_int "unsynced" unsynced (u32 (at + 16))
  in
  record 64 ~length:3 ~flags:0 ~number:1 ~unsynced:0;
  record 91 ~length:3 ~flags:(1 lsl 31) ~number:2 ~unsynced:0;
  record 118 ~length:0 ~flags:0 ~number:3 ~unsynced:27

let tests =
  [
    test "known checksums" known_checksums;
    test "checksums of any strings" checksums_of_any_strings;
    test "the bytes of headers" bytes_of_headers;
    test "names of files" names_of_files;
    test "a log is as documented" a_log_is_as_documented;
  ]
