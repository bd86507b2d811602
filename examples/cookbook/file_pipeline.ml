(* Lines are read by one fiber at a time, worked on by any number, and written in the order of the file. Only [tokens] lines
   are in memory at the same time, however long the file is. *)
let digests ~source ~target =
  let digest line = Digest.to_hex (Digest.string line) and write line = output_string target (line ^ "\n") in
  Weft.pipeline ~tokens:16
    (fun () -> In_channel.input_line source)
    Weft.Stage.(parallel digest >>> in_order write)

let in_file f =
  let file = Filename.temp_file "pipeline" ".txt" in
  Fun.protect ~finally:(fun () -> Sys.remove file) (fun () -> f file)

let lines file = In_channel.with_open_bin file In_channel.input_lines

let () =
  in_file (fun input ->
      in_file (fun output ->
          Out_channel.with_open_bin input (fun out ->
              for i = 1 to 1000 do
                Printf.fprintf out "line %d\n" i
              done);
          In_channel.with_open_bin input (fun source ->
              Out_channel.with_open_bin output (fun target -> digests ~source ~target));
          let expected = List.map (fun line -> Digest.to_hex (Digest.string line)) (lines input) in
          Printf.printf "%d digests, in order: %b\n" (List.length expected) (lines output = expected)))
