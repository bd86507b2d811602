type gap = { ring : int; from : int; until : int; words : int; events : int }
type t = { mutable still_open : gap list; mutable closed : gap list }

let create () = { still_open = []; closed = [] }
let is_open t = t.still_open <> []
let of_ring ring gap = gap.ring = ring

let lost t ~ring ~from ~words ~events =
  match List.partition (of_ring ring) t.still_open with
  | gap :: _, others ->
      t.still_open <- { gap with words = gap.words + words; events = gap.events + events } :: others
  | [], others -> t.still_open <- { ring; from; until = max_int; words; events } :: others

let close t time gap =
  let gap = { gap with until = max gap.from time } in
  t.closed <- gap :: t.closed;
  gap

let read t ~ring time =
  match List.partition (of_ring ring) t.still_open with
  | [], _ -> None
  | gap :: _, others ->
      t.still_open <- others;
      Some (close t time gap)

let finish t time =
  let left = t.still_open in
  t.still_open <- [];
  List.map (close t time) left

let known_until t began ~otherwise =
  let first until gap = if gap.until >= began then min until (max began gap.from) else until in
  List.fold_left first (List.fold_left first otherwise t.closed) t.still_open

let tell telling gap =
  let arguments = [ ("words", Event.Int gap.words); ("events", Event.Int gap.events) ] in
  Telling.emit telling ~track:gap.ring ~time:gap.from ~arguments Trace "events lost"
    (Complete (gap.until - gap.from))
