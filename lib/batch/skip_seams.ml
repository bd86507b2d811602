open Weft_containers
open Skip_block

type ('k, 'v) blocks = ('k, 'v) Skip_block.t array

type ('k, 'v) t = {
  unknown : ('k, 'v) Skip_block.t;  (** Stands for the block that depends on the run to the right. *)
  edge : ('k, 'v) blocks;  (** By level: the block before the unknown one; [End]: no change yet. *)
  beyond : ('k, 'v) blocks;  (** The block that followed it before the batch. *)
  reader : ('k, 'v) blocks;  (** The block whose link must point to the unknown one; [End]: none. *)
  waiting : ('k, 'v) blocks;  (** The block in front of the last change, whose link is still to be set. *)
  first : ('k, 'v) blocks;  (** The target of that link. *)
}

let make ~unknown =
  let blocks () = Array.make Skip_heights.levels End in
  {
    unknown;
    edge = blocks ();
    beyond = blocks ();
    reader = blocks ();
    waiting = blocks ();
    first = blocks ();
  }

let[@inline] read t level reader x = if x == t.unknown then t.reader.(level) <- reader else set_right reader x

(* The block that follows [left] from now on; before the batch it was [old]. *)
let follower t level ~left ~old =
  let waiting = t.waiting.(level) in
  if waiting == End then begin
    t.edge.(level) <- left;
    t.beyond.(level) <- old;
    t.unknown
  end
  else
    let first = t.first.(level) in
    if waiting == left then first
    else begin
      read t level waiting first;
      old
    end

let[@inline] wait t level ~before ~first =
  t.waiting.(level) <- before;
  t.first.(level) <- first

let insert t level ~before ~after ~key ~value ~lower =
  let right = follower t level ~left:before ~old:after in
  let block = match lower with End -> Leaf { right; key; value } | down -> Tower { right; key; down } in
  if right == t.unknown then t.reader.(level) <- block;
  wait t level ~before ~first:block;
  block

let remove t level ~before block =
  wait t level ~before ~first:(follower t level ~left:block ~old:(right block))

let join t right_hand =
  for level = 0 to Skip_heights.levels - 1 do
    let waiting = t.waiting.(level) in
    if waiting != End then begin
      let known = follower right_hand level ~left:t.edge.(level) ~old:t.beyond.(level) in
      let known = if known == right_hand.unknown then t.beyond.(level) else known in
      let reader = t.reader.(level) in
      if reader != End then set_right reader known;
      let first = t.first.(level) in
      wait right_hand level ~before:waiting ~first:(if first == t.unknown then known else first)
    end
  done

let finish t =
  for level = 0 to Skip_heights.levels - 1 do
    set_right t.waiting.(level) t.first.(level)
  done
