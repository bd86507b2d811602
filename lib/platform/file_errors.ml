let named ?(opened = "") path what =
  let name = (if opened = "" then path else opened) ^ ": " in
  let n = if String.starts_with ~prefix:name what then String.length name else 0 in
  Sys_error (Printf.sprintf "%s: %s" path (String.sub what n (String.length what - n)))

let naming ?opened path f x =
  try f x with
  | Sys_error what -> raise (named ?opened path what)
  | Unix.Unix_error (error, _, _) -> raise (named path (Unix.error_message error))
