(* A ring; its first node is the queue itself, and holds nothing. A node in no queue has no neighbours: a
   record that refers to itself costs much more to make. *)
type 'a node = Nowhere | Node of { contents : 'a option; mutable before : 'a node; mutable after : 'a node }
type 'a t = 'a node

let node_of contents = Node { contents; before = Nowhere; after = Nowhere }
let node x = node_of (Some x)
let before = function Node p -> p.before | Nowhere -> Nowhere
let after = function Node p -> p.after | Nowhere -> Nowhere
let set_before node p = match node with Node q -> q.before <- p | Nowhere -> ()
let set_after node p = match node with Node q -> q.after <- p | Nowhere -> ()

(* Between two neighbours. *)
let[@inline] insert node ~before ~after =
  set_before node before;
  set_after node after;
  set_after before node;
  set_before after node

let create () =
  let queue = node_of None in
  insert queue ~before:queue ~after:queue;
  queue

let is_queued p = after p != Nowhere
let[@inline] is_empty queue = after queue == queue
let add queue p = insert p ~before:(before queue) ~after:queue
let add_first queue p = insert p ~before:queue ~after:(after queue)

let remove node =
  match node with
  | Nowhere -> ()
  | Node p ->
      set_after p.before p.after;
      set_before p.after p.before;
      p.before <- Nowhere;
      p.after <- Nowhere

let contents node =
  match node with
  | Node { contents = Some x; _ } -> x
  | Node { contents = None; _ } | Nowhere -> invalid_arg "Weft: internal error: an empty node"

let first queue = if is_empty queue then None else Some (after queue)

let take queue =
  if is_empty queue then None
  else
    let node = after queue in
    remove node;
    match node with Node p -> p.contents | Nowhere -> None

let length queue =
  let rec count p n = if p == queue then n else count (after p) (n + 1) in
  count (after queue) 0

let to_list queue =
  let rec collect p found = if p == queue then found else collect (before p) (contents p :: found) in
  collect (before queue) []
