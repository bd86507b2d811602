(** The place for the result of one operation of a batch.

    The caller of an operation makes a cell; the structure that runs the batch fills it.

    {b Cost.} Each function is O(1). *)

type 'a t

val make : unit -> 'a t
(** An empty cell. *)

val resolve : 'a t -> 'a -> unit
(** [resolve c v] makes [v] the result. Until the batch has ended, the result may still be replaced: the last
    one counts. Only one fiber of the batch at a time may call it. Never suspends. *)

val fail : 'a t -> exn -> Printexc.raw_backtrace -> unit
(** [fail c e bt] makes the operation raise [e], in place of any result it has. *)

val clear : 'a t -> unit
(** Empties the cell. Only the fiber that runs the batch may call it, before the caller has got the result. *)

val is_empty : 'a t -> bool
(** Whether there is neither a result nor an exception. *)

val result : 'a t -> ('a, exn * Printexc.raw_backtrace) result option
(** The contents; [None] while it {!is_empty}. *)
