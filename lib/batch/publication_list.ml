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

(* A caller that has seen the old block, and is about to push onto it, must not mistake the new chain for
   the old one. *)
let again = function
  | Call c -> Call { c with next = Busy; depth = 0 }
  | Turn t -> Turn { t with next = Busy; depth = 0 }
  | (Idle | Busy) as word -> word

(* In one step, so that nobody comes between the members of a party. *)
let push_all g words ~onto =
  let top =
    List.fold_left
      (fun onto word ->
        link word ~onto;
        word)
      onto words
  in
  Atomic.compare_and_set g onto top

let rec put_back_again g words ~entered =
  match look g with
  | Idle -> put_back_again g words ~entered:(enter g || entered)
  | onto -> if push_all g words ~onto then entered else put_back_again g words ~entered

let put_back g words = words <> [] && put_back_again g (List.map again words) ~entered:false
let take g = Atomic.exchange g Busy
let take_if g chain = Atomic.compare_and_set g chain Busy
