(** Finalisers that raise.

    OCaml calls the functions of [Gc.finalise] and of [Gc.create_alarm] wherever code allocates or polls, and
    raises their exceptions there. In the middle of an operation of this library, such an exception would lose
    a fiber, or end a worker. So threads that are in a pool, and domains of ours, report it instead and go on,
    as Python and Java do in all code. *)

external enter : unit -> unit = "weft_enter_finalisers"
[@@noalloc]
(** From now on, exceptions of finalisers that the calling thread runs are reported. *)

external own_domain_starts : bool -> unit = "weft_own_domain_starts"
[@@noalloc]
(** [own_domain_starts true] comes before the start of a domain of ours, and [own_domain_starts false] when
    its function runs, or it does not start. In all threads of such a domain, exceptions of finalisers are
    reported, from its first step on; so are those in a domain of the program's that starts meanwhile.

    In any other domain they are reported, too, until it has its local storage: before, an exception would
    crash OCaml 5.3. *)

external report : (exn -> unit) -> unit = "weft_report_from_finalisers"
(** [report f] makes [f] the function that gets these exceptions. It is called where the finaliser ran, with
    its backtrace as the last one; it must not raise.

    In the runtime's hook before finalisers ([caml_finalise_begin_hook]), which calls all that are due, so
    that the runtime finds none. *)

val within : (unit -> 'a) -> 'a
(** [within f] does {!enter}, calls [f ()], and undoes the {!enter}, whatever [f ()] raises. It must not
    suspend. When the last one of a thread is undone, exceptions are raised again, as without Weft. *)
