open Console

type reason = Binary | Not_regular | Unreadable of string
type t = { path : string; reason : reason }

let compare a b = String.compare a.path b.path

let to_string { path; reason } =
  let why =
    match reason with
    | Binary -> "binary: it has a NUL byte in its first 8 KiB"
    | Not_regular -> "neither a file nor a directory"
    | Unreadable message -> message
  in
  Printf.sprintf "%s: %s" (Printable.name path) why
