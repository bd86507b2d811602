type t = { total : int; mutable done_ : int; visible : bool }

let clear_line = "\r\027[K"
let start ~total = { total; done_ = 0; visible = Unix.isatty Unix.stderr }

let step t what =
  t.done_ <- t.done_ + 1;
  if t.visible then Printf.eprintf "%s[%d/%d] %s%!" clear_line t.done_ t.total what

let finish t = if t.visible then Printf.eprintf "%s%!" clear_line
