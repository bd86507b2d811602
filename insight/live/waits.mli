(** The waits of a program: those that go on, and what those that have ended add up to.

    A wait may end in another ring than the one in which it began. Rings are read one after the other, so the
    end of a wait may be read before its beginning. Times are nanoseconds of the monotonic clock. *)

type t

val create : unit -> t
val begins : t -> time:int -> id:int -> what:string -> about:int -> name:string -> unit
val ends : t -> time:int -> id:int -> unit

val swept : t -> unit
(** Must be called when all rings have been read to their ends since the last call. An end whose beginning has
    not been read after two calls is dropped: its beginning was lost. *)

val doubt : t -> before:int -> unit
(** Events of a ring were lost, up to this time. Forgets the waits that go on and began before, and those
    whose beginnings will be read later: their ends may be among what was lost, whatever the ring in which
    they began. *)

val forget_ended : t -> unit
(** Forgets those that have ended. *)

type place = {
  what : string;  (** the operation *)
  about : int;  (** the number of the lock or channel; 0: not known; {!others} *)
  name : string;  (** that the program gives it; or empty *)
  waits : int;  (** how many *)
  longest : int;  (** of them *)
  total : int;
}

val others : int
(** Stands for all objects of an operation that have no place of their own: the first 1,000 have. *)

val going_on : t -> now:int -> most:int -> place list
(** The waits that go on, those of one operation and object together: the [most] places with the longest
    waits, the longest first. *)

val all : t -> now:int -> most:int -> place list
(** Those that have ended too, likewise. *)
