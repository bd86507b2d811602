(* The example program checksums: every line with its checksum, in order, whatever the number of domains. *)

let exe = Filename.concat (Sys.getcwd ()) "../../examples/pipeline/checksums.exe"

let run ?(domains = 1) ?stdin ?stdout arguments =
  let out = Filename.temp_file "checksums" ".out" and err = Filename.temp_file "checksums" ".err" in
  let command =
    Filename.quote_command exe
      ~stdin:(Option.value stdin ~default:"/dev/null")
      ~stdout:(Option.value stdout ~default:out) ~stderr:err arguments
  in
  let code = Sys.command (Printf.sprintf "WEFT_DOMAINS=%d %s" domains command) in
  let take path =
    let text = In_channel.with_open_bin path In_channel.input_all in
    Sys.remove path;
    text
  in
  let out = take out in
  (code, out, take err)

let in_file text test =
  let path = Filename.temp_file "checksums" ".txt" in
  Out_channel.with_open_bin path (fun channel -> output_string channel text);
  Fun.protect ~finally:(fun () -> Sys.remove path) (fun () -> test path)

(* Computed in another way than the program's. *)
let expected lines =
  let sum line =
    let digest = ref (Digest.string line) in
    for _ = 1 to 1_000 do
      digest := Digest.string !digest
    done;
    Digest.to_hex !digest
  in
  String.concat "" (List.map (fun line -> sum line ^ "  " ^ line ^ "\n") lines)

let check_answer = Alcotest.(check (triple int string string))

let lines_come_out_in_order () =
  let lines = List.init 500 (fun i -> String.make (i mod 70) 'x' ^ string_of_int i) in
  in_file (String.concat "\n" lines) @@ fun file ->
  List.iter
    (fun domains ->
      let what = Printf.sprintf "%d domains" domains in
      check_answer what (0, expected lines, "") (run ~domains [ file ]);
      check_answer (what ^ ", standard input") (0, expected lines, "") (run ~domains ~stdin:file []))
    [ 1; 2; 3; 8 ]

let an_empty_file_is_no_line () = in_file "" @@ fun file -> check_answer "empty" (0, "", "") (run [ file ])

let a_missing_file_is_named () =
  let missing = "/nowhere/at/all" in
  check_answer "missing" (2, "", "checksums: " ^ missing ^ ": No such file or directory\n") (run [ missing ])

let a_folder_is_named () =
  check_answer "a folder" (2, "", "checksums: /: Is a directory\n") (run [ "/" ]);
  check_answer "as standard input" (2, "", "checksums: standard input: Is a directory\n") (run ~stdin:"/" [])

let what_cannot_be_written_is_told () =
  in_file "one\ntwo\n" @@ fun file ->
  check_answer "no space"
    (2, "", "checksums: standard output: No space left on device\n")
    (run ~stdout:"/dev/full" [ file ])

let () =
  let test name f = Testing.Watchdog.case name f in
  Alcotest.run "checksums"
    [
      ( "program",
        [
          test "lines come out in order" lines_come_out_in_order;
          test "an empty file is no line" an_empty_file_is_no_line;
          test "a missing file is named" a_missing_file_is_named;
          test "a folder is named" a_folder_is_named;
          test "what cannot be written is told" what_cannot_be_written_is_told;
        ] );
    ]
