(** Variables that are written once, and whose readers wait until then.

    Like a promise ([Weft.Promise.create]) that has values only, no exceptions. Fibers of any pool, other
    threads and other domains may use the same variable. An exception that ends a {!read} early (cancellation,
    a timeout) leaves no trace in the variable.

    {b Cost.} Each function is O(1), but {!fill} and {!try_fill} are O(those that wait). *)

type 'a t
(** A variable that will hold an ['a]. *)

val create : unit -> 'a t
(** [create ()] is an empty variable. *)

val fill : 'a t -> 'a -> unit
(** [fill i v] gives [i] the value [v] for ever, and resumes all that {!read} it, first come, first served.
    Never suspends. May be called by signal handlers too.
    @raise Invalid_argument if [i] is full. *)

val try_fill : 'a t -> 'a -> bool
(** [try_fill i v] is like [fill i v], but is [false] if [i] is full. *)

val read : ?timeout:float -> 'a t -> 'a
(** [read i] is the value of [i]. If [i] is empty, it suspends the calling fiber, or holds up the calling
    thread, until [i] is full; if [i] is full, it costs a few nanoseconds. Any number of fibers and threads
    may read.
    @raise Weft.Cancel.Timeout if [i] is still empty after [timeout] seconds.
    @raise Weft.Cancel.Cancelled if the calling fiber is cancelled while it waits. *)

val peek : 'a t -> 'a option
(** [peek i] is the value of [i], or [None] if [i] is empty. Never suspends. *)

(**/**)

(** Not for users: how {!Weft.Select} waits. *)
module Private : sig
  external to_write_once : 'a t -> 'a Write_once.t = "%identity"
end
