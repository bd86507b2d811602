(** Operations at the very end of a stack. *)

val with_limit : (unit -> 'a) -> 'a
(** [with_limit f] is [f ()], with stacks that are full after some thousand calls. *)

val at_each_room :
  ?step:int -> ?outside:bool -> make:(unit -> 'a) -> check:('a -> bool -> unit) -> ('a -> unit) -> unit
(** [at_each_room ~make ~check f], in a fiber and {!with_limit}, calls [f (make ())] where the stack has room
    for one call, then for [step] more (by default one) each time, until [f] has returned 20 times in a row;
    each time in a new fiber, or if it is [outside] (by default not), in a new thread that is no worker, while
    a fiber waits for it. [check] gets what [make] made, and whether [f] returned: else it has raised
    [Stack_overflow]. What else comes of these functions is raised. *)

val in_each_frame : (unit -> unit) -> unit
(** [in_each_frame f], in a fiber and {!with_limit}, fills the stack of a new fiber, which has grown as far as
    it may. While that unwinds, it calls [f ()] in each frame, until [f] has returned; before it has raised
    [Stack_overflow]. *)

val where : unit -> string
(** The number of calls for which the stack had room last. *)
