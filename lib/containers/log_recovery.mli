(** Finds out what a kill or a power failure has left of the segment that was written last.

    The records are read until there is something that is no whole record, at a position [p]. If [p] had not
    been synced, this is the incomplete end of the log; else it is damage. Every header says up to which
    position all had been synced when it was made. So if a header behind [p] says that [p] had been synced, it
    is damage. If none does, what is from [p] on has never been synced, and nobody has been told that it was
    there. (A system that loses power may have written the later parts of a batch and not the earlier ones:
    whole records behind [p] are no proof.)

    It cannot recognise damage to what a killed process wrote after its last call of [sync] but one: that
    looks like an incomplete end. A log that was closed has a mark at its end, which proves all before it.

    {b Cost.} Each function says it. *)

type found = {
  stop : int;  (** the position behind the last complete group *)
  number : int;  (** the number that the next record will have *)
  synced : int;  (** the position up to which all is known to be on the disk *)
  marked : bool;  (** whether a mark is the last thing in the segment, or there is nothing in it *)
  bad : (int * string) option;
      (** the position where there is no whole record, and why; at [stop] or behind it *)
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
(** [size] is the size of the file; all before the position [synced] is known to have been synced. O(size)
    time; if something is bad, also O(the rest) space.
    @raise Log_error.Damaged see above. *)
