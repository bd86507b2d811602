(** The waits of a program: those that go on, and what those that have ended add up to.

    Times are nanoseconds of the monotonic clock. *)

type t

val create : unit -> t
val begins : t -> time:int -> id:int -> what:string -> about:int -> name:string -> unit
val ends : t -> time:int -> id:int -> unit

val forget : t -> unit
(** Those that go on: events were lost, and their ends may be among them. *)

type place = {
  what : string;  (** the operation *)
  about : int;  (** the number of the lock or channel; 0: not known *)
  name : string;  (** that the program gives it; or empty *)
  waits : int;  (** how many *)
  longest : int;  (** of them *)
  total : int;
}

val going_on : t -> now:int -> place list
(** The waits that go on, those of one operation and object together; the place of the longest first. *)

val all : t -> now:int -> place list
(** Those that have ended too, likewise. *)
