(* checksums [FILE]: prints each line of FILE (or of standard input) after its checksum, in the order of
   the file. Lines are read one by one, checksums are computed in parallel, results are printed in order;
   however long the file, only a few lines are in memory at the same time. *)

(* Expensive enough for a domain of its own: a digest of a digest of a digest. *)
let checksum line =
  let rec rounds n digest = if n = 0 then digest else rounds (n - 1) (Digest.string digest) in
  (Digest.to_hex (rounds 1_000 (Digest.string line)), line)

let telling_of name f = try f () with Sys_error why -> raise (Sys_error (name ^ ": " ^ why))
let writing f = telling_of "standard output" f
let print (sum, line) = writing (fun () -> Printf.printf "%s  %s\n" sum line)

let checksums name input =
  let next_line () = telling_of name (fun () -> In_channel.input_line input) in
  Weft.pipeline next_line Weft.Stage.(parallel checksum >>> in_order print)

let () =
  try
    (match Sys.argv with
    | [| _ |] -> checksums "standard input" stdin
    | [| _; file |] -> In_channel.with_open_bin file (checksums file)
    | _ ->
        prerr_endline "usage: checksums [FILE]";
        exit 124);
    writing (fun () -> flush stdout)
  with Sys_error message ->
    (* Output that could not be written is dropped: otherwise the end of the program would try once more. *)
    close_out_noerr stdout;
    prerr_endline ("checksums: " ^ message);
    exit 2
