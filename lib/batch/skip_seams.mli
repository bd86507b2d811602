(** The links that change in a batch on a skip list.

    A batch's changes, insertions and removals, are divided into runs of neighbouring keys, each done from
    right to left, several runs at the same time. Each change knows, on each of its levels, the blocks that
    were around it {e before} the batch. Many changes may have had the same block before them, or one that is
    removed too: so a link is set only when the next change to the left, on that level, shows that it leaves
    it alone. Every link is set once, none is read that anybody sets, and no key is looked at.

    On each level, the link of the block in front of the last change waits. If the next change is between that
    block and the former one, or is the removal of that block, then it takes over what the link was to point
    to; else the link is set. What is right of the rightmost change of a run belongs to the run on the right:
    it is unknown, and at most one link per level depends on it; {!join} sets that one. *)

open Weft_containers

type ('k, 'v) t
(** Where a run has got to, on all levels. *)

val make : unknown:('k, 'v) Skip_block.t -> ('k, 'v) t
(** Of a run without a change yet. [unknown]: any block that is never to the right of another one. *)

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
(** [join t right] makes of [right], which must know all that is on its right, both runs in one. O(1). *)

val finish : ('k, 'v) t -> unit
(** Sets the links that still wait, of a run that had none on the left. *)
