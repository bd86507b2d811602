(** The functions of [Domain.at_exit], and the end of the program.

    OCaml calls a domain's functions when the function that the domain was spawned with has returned: so text
    printed there by [Format] is written when the domain is joined. At exit it calls only those of the domain
    that calls [exit]. But the program joins none of our domains, and does not choose which domain runs the
    task that calls [exit]. So at exit all domains that Weft has to do with call theirs: its own, and those
    with a thread that waits in a call of Weft.

    {b States} of a domain: its functions are not called; {e claimed}, once, by the thread that calls them;
    {e over}. A domain of ours calls them itself when its work is over ({!Runtime_threads}); [exit] calls
    those of the domain that it is called in. The first function that a domain of ours, or the program's
    first, registers is ours: it runs last, and notes that they are over. A domain of the program's that
    called them so, and goes on, calls them again when it ends: OCaml knows nothing of the first time.

    {b At exit}, in {!finish}: the program is {e ending} from now on, and {!on_exit} tells those that must
    call their functions. Workers give way at their next fork, between two blocks, or after their job, and
    their domains end. Callers that work or wait see {!are_due}, call the functions, and go on. {!finish}
    waits until all are over, {!limit} at most: a task that neither ends nor forks must not keep the program.
*)

val limit : float Atomic.t
(** 1 s: so long the end of a program waits for tasks in its domains to end or to give way, and for the
    domains' functions. Set by tests. *)

(** {1 Domains} *)

type domain

val own : unit -> domain
(** A domain that is about to be started: the program's end waits for it from now on. *)

val begin_own : domain -> unit
(** By the new domain, first of all. *)

val give_up : domain -> unit
(** It was not started. *)

val is_here : domain -> bool
(** Whether it is a domain of ours, and the calling one. *)

val is_own : unit -> bool
(** Whether the calling domain has begun so, and is not over. May be called by a signal's handler at any
    point, even where a domain has only begun to begin. *)

val run : where:string -> unit
(** Calls the calling domain's functions, unless they are claimed. What one of them raises is printed, with
    [where], which is [""] or begins with a space; the others are not called then, as in OCaml. *)

(** {1 Callers that wait} *)

val while_waiting : Parker.t -> (unit -> 'a) -> 'a
(** [while_waiting parker f] is [f ()]; if the program ends during [f ()], [parker] is unparked, and the end
    waits until the calling domain's functions have run: by {!run_if_due}, at the end of [f ()] at the latest.
*)

val are_due : unit -> bool
(** Whether the program is ending and the calling domain's functions are not claimed. One load, if it is not.
*)

val run_if_due : unit -> unit
(** Then calls them; and [Format]'s, which are flushed by [Stdlib.at_exit] in a program's first domain. What
    they raise is printed. *)

(** {1 The end} *)

val on_exit : (unit -> unit) -> unit
(** [on_exit tell] has [tell ()] called when the program is ending. It may be called by a signal handler in
    the middle of anything, and must not wait. *)

val is_ending : unit -> bool

val finish : unit -> unit
(** To be called by a function of [Stdlib.at_exit]. *)
