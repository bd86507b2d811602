(** What a kill or a power failure has left of the segment that was written last.

    Reading goes on until something is no whole record, at a position [p]. It is the incomplete end of the log
    if [p] had not been synced; else it is damage. Every header says up to where all had been synced when it
    was made: so if behind [p] there is any header that says so of [p], it is damage; if there is none, what
    is from [p] on has never been synced, and nobody has been told that it was there. (A system that loses
    power may have written the later parts of a batch and not the earlier ones: whole records behind [p] are
    no proof.)

    What this cannot see: damage in what was written last, after the last call of [sync] but one, by a process
    that was killed. It looks like an incomplete end. A log that was closed has a mark at its end, which
    proves all before it.

    {b Cost.} Each function says it. *)

type found = {
  stop : int;  (** the position behind the last complete group *)
  number : int;  (** of the record that will be there *)
  synced : int;  (** up to where all is known to be on the disk *)
  marked : bool;  (** the last thing is a mark, or there is nothing *)
  bad : (int * string) option;  (** the position that is no whole record, and why; at [stop] or behind it *)
}

val scan :
  Log_system.t ->
  Unix.file_descr ->
  file:string ->
  Log_format.seed ->
  Log_format.segment ->
  size:int ->
  synced:int ->
  found
(** [size]: of the file. [synced]: all before this position is known to have been synced. O(size) time; if
    something is bad, also O(the rest) space.
    @raise Log_error.Damaged see above. *)
