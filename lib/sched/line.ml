type 'a place = { contents : 'a option; mutable before : 'a place; mutable after : 'a place }

(* The ring's first place is the line itself, with nothing in it. *)
type 'a t = 'a place

let place_of contents =
  let rec p = { contents; before = p; after = p } in
  p

let create () = place_of None
let place x = place_of (Some x)
let is_in_line p = p.after != p
let is_empty line = not (is_in_line line)

(* Between two neighbours. No safepoint. *)
let insert p ~before ~after =
  p.before <- before;
  p.after <- after;
  before.after <- p;
  after.before <- p

let add line p = insert p ~before:line.before ~after:line
let add_first line p = insert p ~before:line ~after:line.after

let remove p =
  p.before.after <- p.after;
  p.after.before <- p.before;
  p.before <- p;
  p.after <- p

let contents p =
  match p.contents with Some x -> x | None -> invalid_arg "Weft: internal error: the place of nobody"

let first line = if is_empty line then None else Some line.after

let take line =
  let p = line.after in
  remove p;
  p.contents

let length line =
  let rec count p n = if p == line then n else count p.after (n + 1) in
  count line.after 0

let to_list line =
  let rec collect p found = if p == line then found else collect p.before (contents p :: found) in
  collect line.before []
