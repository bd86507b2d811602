(** The links that change in a batch on a skip list.

    The changes of a batch, insertions and removals, are divided into runs of neighbouring keys. Each run
    makes its changes from right to left, several runs at the same time. Each change knows, on each of its
    levels, the blocks that were around it {e before} the batch. Several changes may have the same block
    before them, or one that is removed, too: so a link is set only when the next change to the left, on that
    level, turns out not to concern it. Every link is set once, no link is read that another task sets, and no
    key is looked at.

    On each level, one link is still to be set: that of the block in front of the last change. If the next
    change is right behind that block, or removes it, the target of the link passes to that change; else the
    link is set. The block to the right of a run's rightmost change depends on the run on the right: it is
    unknown, and at most one link per level depends on it; {!join} sets that one. *)

open Weft_containers

type ('k, 'v) t
(** The state of a run, on all levels. *)

val make : unknown:('k, 'v) Skip_block.t -> ('k, 'v) t
(** A run without a change yet. [unknown]: any block that is never to the right of another one. *)

val insert :
  ('k, 'v) t ->
  int ->
  before:('k, 'v) Skip_block.t ->
  after:('k, 'v) Skip_block.t ->
  key:'k ->
  value:'v ->
  lower:('k, 'v) Skip_block.t ->
  ('k, 'v) Skip_block.t
(** [insert t level ~before ~after ~key ~value ~lower] is a new block on this level between two that were
    neighbours: a leaf if [lower] is [End], else a tower upon [lower]. *)

val remove : ('k, 'v) t -> int -> before:('k, 'v) Skip_block.t -> ('k, 'v) Skip_block.t -> unit
(** [remove t level ~before block] unlinks [block], which came next to [before]. *)

val join : ('k, 'v) t -> ('k, 'v) t -> unit
(** [join t right] makes [right] both runs in one; [right] must know all that is on its right. O(1). *)

val finish : ('k, 'v) t -> unit
(** Sets the links that are still to be set, of a run that has no run on its left. *)
