(** Making pools and handing them work. [Weft.Pool] documents what users see; {!External_slot},
    {!External_caller} and {!Shutdown} how it is done. *)

type t = Pool_state.t

val create :
  ?name:string ->
  ?domains:int ->
  ?minor_heap:int ->
  ?session:Span_session.session ->
  caller:bool ->
  string ->
  t
(** [create ~caller who] is a new pool; without [caller], it has [domains] domains of its own, and nobody is
    to work in its slot. [who] is the function named in error messages. What runs in it is measured as part of
    [session], by default that of whoever makes it ({!Span_session.session_here}). *)

val time_calls : unit -> unit
(** From now on {!time_in_calls} is kept. *)

val time_in_calls : unit -> int
(** Nanoseconds in which some thread was calling in from outside all pools: {!run}, or waiting. *)

val default : unit -> t
val current : unit -> t option
val find : string -> t option
val name : t -> string
val present : t -> int
val room : t -> int
val domains : t -> int
val default_domains : unit -> int
val stats : t -> Pool_state.worker_stats array

val injected : t -> int
(** Jobs ever put into its injector, but for those of the workers' own ends. *)

val run : t -> (unit -> 'a) -> string -> 'a
(** [run p f who]. *)

val run_default : (unit -> 'a) -> 'a
(** [run (default ()) f]. *)

val task : t -> (unit -> 'a) -> 'a Job.t
(** One that {!submit} puts into its queue. *)

val submit : ?background:bool -> t -> 'a Job.t -> string -> unit
(** [submit p j who], from outside of [p]. *)

val async : ?background:bool -> t -> (unit -> 'a) -> string -> 'a Job.t
(** [async p f who]. With [background], for when there is nothing else to do. *)

val await_outside : 'a Job.t -> 'a
(** What a thread outside any pool does to get an outcome: works along in the default pool if that is there
    and its slot is free, else blocks. *)
