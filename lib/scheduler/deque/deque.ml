module Cells = Deque_memory

type 'a t = 'a Cells.t

let create ~id ~wake = Cells.make ~id ~capacity:256 ~wake
let[@inline] is_full d = Cells.bottom d >= Cells.limit d
let make_room d = Cells.make_room d

(* A limit of 0 is below every bottom. *)
let[@inline] is_preempt_requested d = Cells.limit d = 0
let request_preempt d = Cells.request_preempt d
let acknowledge d = Cells.acknowledge d

(* Mode Owner: one barrier orders the slot before the index, for processors that reorder stores; one
   orders the index before what the owner reads next. *)
let[@inline never] fenced_push d b =
  Membarrier.full ();
  Cells.set_bottom d (b + 1);
  Membarrier.full ()

let[@inline] push d x =
  if Cells.is_bytecode () then Cells.push d x
  else
    let b = Cells.bottom d in
    Cells.set_slot d b x;
    if Membarrier.by_owner then fenced_push d b else Cells.set_bottom d (b + 1)

let[@inline] push_deferred d x =
  Cells.set_deferred d (Cells.bottom d);
  push d x

let[@inline] is_deferred d = Cells.deferred d = Cells.top d

(* The bottom element [b] is the last one, or is gone; [bottom] is [b]. Returns whether the owner gets it. *)
let[@inline never] pop_last d b top =
  let ours = top = b && Cells.cas_top d top (top + 1) in
  (* Either way the deque is empty now, and [top] is [b + 1]. *)
  Cells.set_bottom d (b + 1);
  ours

let[@inline] pop_if d x =
  if Cells.is_bytecode () then Cells.pop_if d x
  else
    let b = Cells.bottom d - 1 in
    (* If [b] is not in the deque, the slot may be stale and the comparison wrongly true: the indices decide. *)
    Cells.slot_is d b x
    && begin
         Cells.set_bottom d b;
         if Membarrier.by_owner then Membarrier.full ();
         let top = Cells.top d in
         top < b || pop_last d b top
       end

let[@inline never] pop d ~nil =
  if Cells.is_bytecode () then Cells.pop d ~nil
  else
    let b = Cells.bottom d - 1 in
    if b < Cells.top d then nil
    else begin
      Cells.set_bottom d b;
      if Membarrier.by_owner then Membarrier.full ();
      let top = Cells.top d in
      (* Read before the compare-and-set; if that fails, the word is never looked at. No safepoint in
       between. *)
      if top < b then Cells.slot d b
      else if top > b then begin
        Cells.set_bottom d (b + 1);
        nil
      end
      else begin
        let x = Cells.slot d b in
        if pop_last d b top then x else nil
      end
    end

(* It was inside when [top] was read after the slot; no safepoint in between. *)
let[@inline] peek d ~nil =
  let b = Cells.bottom d - 1 in
  let x = Cells.slot d b in
  if b < Cells.top d then nil else x

let exists d f =
  let rec from i =
    i < Cells.bottom d
    &&
    let x = Cells.slot d i in
    let top = Cells.top d in
    if top > i then from top else f x || from (i + 1)
  in
  from (Cells.top d)

(* One straight line without a safepoint, see Deque_memory. *)
let[@inline never] steal d ~nil =
  if Cells.is_bytecode () then Cells.take_top d ~nil
  else
    (* Top first. An index below a [bottom] that is read later was in the deque at that later moment, unless
     [top] has moved on, and then the compare-and-set fails. *)
    let top = Cells.top d in
    let seen = Cells.bottom d in
    if top >= seen then nil
    else begin
      Membarrier.heavy ();
      let bottom = Cells.bottom d in
      if top >= bottom then nil
      else begin
        if Membarrier.by_owner then Membarrier.full ();
        let x = Cells.stolen_slot d top in
        if Cells.cas_top d top (top + 1) then Cells.taken x else nil
      end
    end

(* Where the owner has its own barriers, a steal is cheaper than a question. *)
let () = if not Membarrier.by_owner then Cells.answer_thieves ()

let[@inline never] ask d ~by ~nil =
  if Membarrier.by_owner || Cells.bottom d <= Cells.top d then nil else Cells.ask d ~by ~nil

(* The compare-and-set decides which thief gets the top element; a thief needs the barrier because of
   what the owner does at the bottom meanwhile, and here the owner does this itself. No safepoint, as in
   [steal]. *)
let[@inline never] take_eldest d ~nil =
  if Cells.is_bytecode () then Cells.take_top d ~nil
  else
    let top = Cells.top d in
    if top >= Cells.bottom d then nil
    else
      let x = Cells.stolen_slot d top in
      if not (Cells.cas_top d top (top + 1)) then nil else x

let[@inline] size d =
  let top = Cells.top d in
  let n = Cells.bottom d - top in
  if n > 0 then n else 0

let[@inline] is_empty d = Cells.bottom d <= Cells.top d
