let read path = try String.trim (In_channel.with_open_bin path In_channel.input_all) with Sys_error _ -> ""

(* /proc/PID/task/TID/stat: the name is in parentheses and may hold blanks; the state is the first field
   after it, user and system time, in hundredths of a second, the 12th and 13th. *)
let describe_thread folder thread =
  let file name = read (Filename.concat folder (Filename.concat thread name)) in
  let stat = file "stat" in
  let rest =
    match String.rindex_opt stat ')' with
    | Some i when i + 2 < String.length stat -> String.sub stat (i + 2) (String.length stat - i - 2)
    | _ -> ""
  in
  let field i = Option.value (List.nth_opt (String.split_on_char ' ' rest) i) ~default:"?" in
  let hundredths i = Option.value (int_of_string_opt (field i)) ~default:0 in
  let seconds = float_of_int (hundredths 11 + hundredths 12) /. 100. in
  Printf.sprintf "  %s %s: %s, %.2f s, in %s" thread (file "comm") (field 0) seconds (file "wchan")

let describe pid =
  let folder = Printf.sprintf "/proc/%d/task" pid in
  match Sys.readdir folder with
  | threads ->
      Array.sort compare threads;
      String.concat "\n" (Array.to_list (Array.map (describe_thread folder) threads)) ^ "\n"
  | exception Sys_error _ -> ""

(* The fields follow the name, which is in parentheses and may contain anything. *)
let state_and_parent pid =
  let stat = read (Printf.sprintf "/proc/%d/stat" pid) in
  match String.rindex_opt stat ')' with
  | None -> None
  | Some i ->
      Scanf.sscanf_opt (String.sub stat (i + 1) (String.length stat - i - 1)) " %c %d" (fun s p -> (s, p))

let children parent =
  let is_child pid = match state_and_parent pid with Some (_, p) -> p = parent | None -> false in
  match Sys.readdir "/proc" with
  | names -> List.filter is_child (List.filter_map int_of_string_opt (Array.to_list names))
  | exception Sys_error _ -> []
