let stop message =
  prerr_endline ("write_pages: " ^ message);
  exit 1

let words page =
  match String.split_on_char '-' (Filename.chop_suffix (Filename.basename page) ".1") with
  | "weft" :: words -> words
  | _ | (exception Invalid_argument _) -> stop (page ^ " is no name of a page: weft.1, or weft-COMMAND.1")

(* The first lines of the page say how to show it; man does not need them. *)
let rec without_comments = function
  | line :: rest when String.starts_with ~prefix:".\\\"" line -> without_comments rest
  | lines -> lines

let write weft page =
  let arguments = Array.of_list ((weft :: words page) @ [ "--help=groff" ]) in
  let output = Unix.open_process_args_in weft arguments in
  let text = In_channel.input_all output in
  if Unix.close_process_in output <> WEXITED 0 || String.trim text = "" then
    stop (String.concat " " (Array.to_list arguments) ^ " prints no page");
  let lines = without_comments (String.split_on_char '\n' text) in
  Out_channel.with_open_bin page (fun out -> output_string out (String.concat "\n" lines))

let () =
  match Array.to_list Sys.argv with
  | _ :: weft :: (_ :: _ as pages) -> List.iter (write weft) pages
  | _ -> stop "say the program, and the pages to write"
