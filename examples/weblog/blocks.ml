let limit = 65_536

let iter ~read f =
  let buffer = Bytes.create limit and too_long = ref 0 in
  (* The positions after the first and the last line end among the first [filled] bytes. *)
  let behind_first ~filled =
    match Bytes.index_opt buffer '\n' with Some i when i < filled -> Some (i + 1) | _ -> None
  and behind_last ~filled = Option.map succ (Bytes.rindex_from_opt buffer (filled - 1) '\n') in
  let shift ~from ~filled =
    Bytes.blit buffer from buffer 0 (filled - from);
    filled - from
  in
  (* The first [held] bytes of the buffer are the beginning of a line. *)
  let rec lines held =
    match read buffer held (limit - held) with
    | 0 -> if held > 0 then f (Bytes.sub_string buffer 0 held)
    | n -> whole_lines (held + n)
  and whole_lines filled =
    match behind_last ~filled with
    | Some next ->
        f (Bytes.sub_string buffer 0 next);
        lines (shift ~from:next ~filled)
    | None when filled = limit ->
        incr too_long;
        skip_line ()
    | None -> lines filled
  and skip_line () =
    match read buffer 0 limit with
    | 0 -> ()
    | filled -> (
        match behind_first ~filled with
        | None -> skip_line ()
        | Some next -> ( match shift ~from:next ~filled with 0 -> lines 0 | filled -> whole_lines filled))
  in
  lines 0;
  !too_long
