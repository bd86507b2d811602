(** One of several operations, whichever can be done first: what {!Weft.Select} is made of.

    {b The course.} A choice takes the guards of all its cases, in the order of their numbers. It looks, in
    random order, for a case that can be done at once, and does it. If there is none, it makes one cell, puts
    a place into the line of each case, releases the guards and awaits the cell. Whoever serves one of the
    places wakes the cell with what that case has won; whoever comes to another of them finds the cell closed
    and turns to the next in line. Then the choice takes its other places out of their lines.

    {b Exactly one.} The cell is closed once. What a case does at once it does before the choice has a place
    anywhere, so nobody else can serve it meanwhile; what is done for a place is done by the one who woke the
    cell. Two choices that could serve each other on the same channels cannot miss each other: as all guards
    are held, one of them has all its places before the other looks.

    {b No trace.} Places are taken out of the lines, and callbacks off the promises, however the choice ends:
    served, cancelled, timed out or ended by a signal's handler. (Where many wait for one promise, something
    empty may stay for a while: {!Weft_scheduler.Job.leave}.) *)

type 'b win = {
  finish : unit -> 'b;  (** what is left to do by the winner: to call the user's function *)
  undo : unit -> unit;  (** undoes what was done, if the winner has gone *)
}

type entry = {
  add : unit -> unit;  (** with the guard held: into the line *)
  remove : unit -> unit;  (** with the guard held: out of it, if it is there *)
}

type 'b case = {
  guard : Ordered_mutex.t option;
  attempt : unit -> 'b win option;  (** with the guard held: does it, if that can be done at once *)
  entry : 'b win Waiter.t -> entry;  (** a place that wakes the cell; in no line yet *)
}

type 'b t =
  | Case of 'b case
  | After of float * (unit -> 'b)  (** if nothing else can be done for so many seconds *)

val recv : 'a Channel.t -> ('a -> 'b) -> 'b t
val send : 'a Channel.t -> 'a -> (unit -> 'b) -> 'b t
val await : 'a Job.t -> ('a -> 'b) -> 'b t
val lock : Fiber_mutex.t -> (unit -> 'b) -> 'b t

val poll : 'b t list -> 'b option
(** Does one of the cases that can be done at once, if any. *)

val choose : what:string -> 'b t list -> 'b
(** Does one of the cases, waiting if need be. *)
