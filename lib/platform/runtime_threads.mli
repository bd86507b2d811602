(** The threads and domains that the library itself starts.

    OCaml numbers threads, those that domains begin with included, in the order in which they start: a thread
    whose number is higher than {!count} shows that somebody else has started one. *)

val start_thread : (unit -> 'thread) -> 'thread
(** [start_thread create] is [create ()], which must start one thread, with [Thread.create]. *)

val count : unit -> int
(** How many were started. At least as many as the numbers in use: a new domain takes its number a little
    after [Domain.spawn] has returned. *)

val all_have_numbers : unit -> bool
(** Whether every domain that was started has taken its number, so that {!count} is how many are in use. *)

(** {1 Domains} *)

type domain

val domain : string -> domain
(** [domain name] can be started, once. [name] describes it in messages. *)

val start : domain -> (unit -> unit) -> unit
(** [start d main] starts it. When [main] has returned or raised, the domain calls its functions of
    [Domain.at_exit] ({!Exit_functions}); what one of them raises is printed.

    Its generator of [Random] is made of the calling domain's, whose own numbers do not change; if the caller
    is a domain of ours, of the system's randomness. Everything else that a domain inherits comes from the
    calling domain.

    Where OCaml 5.3 finds no room for one of a domain's threads, or for its minor heap, it may crash the
    program. So where a limit of threads is near, or the address space is limited ([ulimit -v]), [start] first
    starts six threads for a moment, to see whether there is room for the domain's three and for those of
    others, and whether 384 MB of address space are left beside their stacks; and no thread of ours starts
    until the domain runs.
    @raise Failure if there is no domain to be had. *)

val has_ended : domain -> bool
(** Whether it was started, and its functions of [Domain.at_exit] have been called. *)

val join : domain -> unit
(** Waits, from a thread of a domain that can be blocked, until a domain that was started has ended. Raises
    what its function has raised. The calling domain itself is not waited for. *)
