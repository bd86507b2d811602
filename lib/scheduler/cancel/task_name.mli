(** What the fibers of tasks are called in traces: by a name that the program gives, or the place of the
    function that they run. Where nobody listens, all this costs a load and a branch.

    {!Run_job} gives a fiber the place of the job's function. If that is one of Weft's own, which calls the
    user's, whoever makes the job says so here. *)

val make : ?name:string -> (unit -> 'a) -> Fiber_id.t
(** [make f], by who starts a task that will call [f]. *)

val begins : Fiber_id.t -> unit
(** By the task, first of all: its fiber is that one. *)

val within : (unit -> 'a) -> unit -> 'a
(** [within f] is [f], in a fiber whose place is that of [f]. *)

val named : string -> (unit -> 'a) -> unit -> 'a
(** [named name f] is [f], in a fiber that is called [name], unless it has a name already. *)

val here : unit -> Fiber_id.t
(** The calling fiber. *)
