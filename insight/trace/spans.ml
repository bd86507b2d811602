type kind = Wait | Call | Region

type span = {
  category : Category.t;
  name : string;
  began : int;
  track : int;
  arguments : (string * Event.argument) list;
}

type ending = { kind : kind; id : int; at : int; time : int }

type t = {
  telling : Telling.t;
  gaps : Gaps.t;
  open_ : (kind * int, span) Hashtbl.t;
  mutable early : ending list; (* ends whose beginnings have not been read yet *)
  mutable earlier : ending list; (* those that were already early at the last sweep *)
  mutable next : int;
  mutable live : bool;
}

let create telling gaps ~live =
  { telling; gaps; open_ = Hashtbl.create 256; early = []; earlier = []; next = 1; live }

(* If more spans are open, it is because their ends were lost. *)
let most_open = 1_000_000

(* An event may be read late, because its writer was delayed between reading the clock and writing. Then it
   may be older than the trace. *)
let not_before t time = if t.live then max time (Telling.from t.telling) else time

let tell_begin t id span time =
  Telling.emit t.telling ~track:span.track ~time:(not_before t time) ~arguments:span.arguments span.category
    span.name (Begin id)

let tell_end ?arguments t id span ~track time =
  (* The clocks of two processors may differ a little. *)
  let time = not_before t (max span.began time) in
  Telling.emit t.telling ~track ~time ?arguments span.category span.name (End id)

let end_all t time =
  let arguments = [ Telling.unfinished ] in
  let tell (_, id) (span : span) =
    tell_end t id span ~track:span.track (Gaps.known_until t.gaps span.began ~otherwise:time) ~arguments
  in
  Hashtbl.iter tell t.open_;
  Hashtbl.reset t.open_

let begins t kind id span =
  if Hashtbl.length t.open_ >= most_open then end_all t span.began;
  Hashtbl.replace t.open_ (kind, id) span;
  tell_begin t id span span.began

let has_begun t e =
  match Hashtbl.find_opt t.open_ (e.kind, e.id) with
  | None -> false
  | Some span ->
      Hashtbl.remove t.open_ (e.kind, e.id);
      (* The span began before the trace and ended in it, but the events from before the trace are still
         being read. [go_live] will not find it, so its beginning is emitted here. *)
      let from = Telling.from t.telling in
      if (not t.live) && span.began < from && e.time >= from then tell_begin t e.id span from;
      tell_end t e.id span ~track:e.at e.time;
      if e.kind = Wait then
        Telling.emit t.telling ~track:e.at ~time:(max span.began e.time) Wake "wake" (Flow_in e.id);
      true

let ends t kind id ~track time =
  let e = { kind; id; at = track; time } in
  if not (has_begun t e) then t.early <- e :: t.early

let whole t ~track ~began ~ended ~arguments category name =
  let span = { category; name; began; track; arguments } in
  let id = t.next in
  t.next <- id + 1;
  (* Emits both events or none. *)
  if ended >= Telling.from t.telling then begin
    tell_begin t id span (max began (Telling.from t.telling));
    tell_end t id span ~track ended
  end

let swept t =
  let still = List.filter (fun e -> not (has_begun t e)) in
  let lost = List.length (still t.earlier) in
  t.earlier <- still t.early;
  t.early <- [];
  lost

let go_live t =
  t.live <- true;
  let from = Telling.from t.telling in
  Hashtbl.iter (fun (_, id) span -> if span.began < from then tell_begin t id span from) t.open_;
  t.early <- [];
  t.earlier <- []

let finish = end_all
