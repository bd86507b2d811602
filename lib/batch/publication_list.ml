type ('call, 'caller) word =
  | Idle
  | Busy
  | Call of { call : 'call; caller : 'caller; mutable next : ('call, 'caller) word; mutable depth : int }
  | Turn of { caller : 'caller; mutable next : ('call, 'caller) word; mutable depth : int }

type ('call, 'caller) t = ('call, 'caller) word Atomic.t

let make () = Atomic.make_contended Idle
let[@inline] enter g = Atomic.compare_and_set g Idle Busy
let[@inline] leave g = Atomic.compare_and_set g Busy Idle
let[@inline] look g = Atomic.get g
let call call caller = Call { call; caller; next = Busy; depth = 0 }
let depth = function Idle | Busy -> 0 | Call c -> c.depth | Turn t -> t.depth

(* Written before anybody can see it: the compare-and-set that publishes it orders them. *)
let link word ~onto ~depth =
  match word with
  | Call c ->
      c.next <- onto;
      c.depth <- depth
  | Turn t ->
      t.next <- onto;
      t.depth <- depth
  | Idle | Busy -> invalid_arg "Weft_batch: internal error: what waits is neither a call nor a turn"

let push g word ~onto =
  link word ~onto ~depth:(depth onto + 1);
  Atomic.compare_and_set g onto word

(* Only the first and the last are written at each attempt, so that many do not fail for ever beside others
   that come one by one. *)
let push_all g words =
  let n = Array.length words in
  for i = 1 to n - 1 do
    link words.(i) ~onto:words.(i - 1) ~depth:0
  done;
  let last = words.(n - 1) in
  let rec push () =
    let was = Atomic.get g in
    let onto = if was == Idle then Busy else was in
    link words.(0) ~onto ~depth:0;
    link last ~onto:(if n = 1 then onto else words.(n - 2)) ~depth:(depth onto + n);
    if Atomic.compare_and_set g was last then was else push ()
  in
  push ()

(* A caller that has seen the old block, and is about to push onto it, must not mistake the new chain for
   the old one. *)
let again word ~onto =
  let depth = depth onto + 1 in
  match word with
  | Call c -> Call { c with next = onto; depth }
  | Turn t -> Turn { t with next = onto; depth }
  | Idle | Busy -> word

let replace g chain others = Atomic.compare_and_set g chain others
let take g = Atomic.exchange g Busy
