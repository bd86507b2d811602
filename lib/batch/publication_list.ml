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
let link word ~onto =
  let deeper = depth onto + 1 in
  match word with
  | Call c ->
      c.next <- onto;
      c.depth <- deeper
  | Turn t ->
      t.next <- onto;
      t.depth <- deeper
  | Idle | Busy -> invalid_arg "Weft_batch: internal error: what waits is neither a call nor a turn"

let push g word ~onto =
  link word ~onto;
  Atomic.compare_and_set g onto word

(* In one step, so that nobody comes between them. *)
let put g words ~on ~was =
  let top = ref on in
  for i = 0 to Array.length words - 1 do
    link words.(i) ~onto:!top;
    top := words.(i)
  done;
  Atomic.compare_and_set g was !top

let push_all g words ~onto = put g words ~on:(if onto == Idle then Busy else onto) ~was:onto

(* A caller that has seen the old block, and is about to push onto it, must not mistake the new chain for
   the old one. *)
let again = function
  | Call c -> Call { c with next = Busy; depth = 0 }
  | Turn t -> Turn { t with next = Busy; depth = 0 }
  | (Idle | Busy) as word -> word

let replace g chain words = put g (Array.map again words) ~on:Busy ~was:chain
let take g = Atomic.exchange g Busy
