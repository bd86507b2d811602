(* A ring; its first node is the queue itself, and holds nothing. A node in no queue has no neighbours: a
   record that refers to itself costs much more to make. *)
type 'a place =
  | Nowhere
  | Place of { contents : 'a option; mutable before : 'a place; mutable after : 'a place }

type 'a t = 'a place

let place_of contents = Place { contents; before = Nowhere; after = Nowhere }
let place x = place_of (Some x)
let before = function Place p -> p.before | Nowhere -> Nowhere
let after = function Place p -> p.after | Nowhere -> Nowhere
let set_before place p = match place with Place q -> q.before <- p | Nowhere -> ()
let set_after place p = match place with Place q -> q.after <- p | Nowhere -> ()

(* Between two neighbours. *)
let[@inline] insert place ~before ~after =
  set_before place before;
  set_after place after;
  set_after before place;
  set_before after place

let create () =
  let line = place_of None in
  insert line ~before:line ~after:line;
  line

let is_in_line p = after p != Nowhere
let[@inline] is_empty line = after line == line
let add line p = insert p ~before:(before line) ~after:line
let add_first line p = insert p ~before:line ~after:(after line)

let remove place =
  match place with
  | Nowhere -> ()
  | Place p ->
      set_after p.before p.after;
      set_before p.after p.before;
      p.before <- Nowhere;
      p.after <- Nowhere

let contents place =
  match place with
  | Place { contents = Some x; _ } -> x
  | Place { contents = None; _ } | Nowhere -> invalid_arg "Weft: internal error: the place of nobody"

let first line = if is_empty line then None else Some (after line)

let take line =
  if is_empty line then None
  else
    let place = after line in
    remove place;
    match place with Place p -> p.contents | Nowhere -> None

let length line =
  let rec count p n = if p == line then n else count (after p) (n + 1) in
  count (after line) 0

let to_list line =
  let rec collect p found = if p == line then found else collect (before p) (contents p :: found) in
  collect (before line) []
