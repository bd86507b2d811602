(** The size of minor heaps.

    When the minor heap of one domain is full, all domains stop and collect theirs together: the more domains,
    the more often, and the more it costs each time. Larger minor heaps make it rarer. So the domains that
    work in a pool of several get larger ones than OCaml's, unless the user has chosen a size: in
    OCAMLRUNPARAM, by [Gc.set], or for the pool.

    Only a domain itself can change the size of its minor heap. A new domain begins with OCaml's initial size,
    or that of OCAMLRUNPARAM, even if the domain that makes it has chosen another by [Gc.set].

    OCaml reserves address space for the minor heaps of 128 domains, used or not, and ends the program where
    it gets none. So a size for which a limit (RLIMIT_AS, [ulimit -v]) has no room, twice over, is not set,
    and the domain keeps its size. A memory limit of the process's control group, as containers have, ends a
    program that uses more: so the minor heaps chosen for a pool take at most an eighth of it together, as
    long as that is more than OCaml's own.

    For each domain we remember the size that we left it with: if it has another one, the program has chosen
    it since, and it stays. *)

val initial : int
(** OCaml's, in words: 262,144. *)

val words_for : ?root:string -> domains:int -> unit -> int
(** What is right for so many domains, in words, under the limit of memory that [Machine.limits] finds. How
    many of them may work at once makes no difference: larger ones no longer fit into the caches. *)

val set_in : (string -> string option) -> string option
(** Which variable of this environment sets it: OCAMLRUNPARAM; or CAMLRUNPARAM, which the runtime reads only
    if the former is not set, not even to nothing. *)

val set_by_user : unit -> string option
(** How, if the calling domain's is neither OCaml's nor ours. [Gc.set] to OCaml's own size is not seen. What
    the user has chosen for a pool, or for the domain that made it, is known in the domains of that pool too.
*)

(** {1 Choosing} *)

type choice
(** The size for a pool, and what its domains would have otherwise. *)

val choice : ?asked:int -> domains:int -> unit -> choice option
(** The choice for a pool, called by a domain that makes it: [asked]; or what the user has chosen for the
    calling domain, in the environment or by [Gc.set]; or {!words_for}. [None], if that is what new domains
    have anyway. About 1 us; the first time also what [Machine.limits] takes. *)

val words : choice -> int

val fits : int -> bool
(** Whether minor heaps may have so many words: the runtime ends the program where it cannot reserve the
    address space for those of all domains ([ulimit -v]). So sizes that do not fit are not set. *)

(** {1 The domains of a pool} *)

val use : choice -> unit
(** The calling domain's is this large from now on, for good; or larger, while {!val-hold}s last. About 20 us
    if that is a change, 1 ms if no domain has had one as large before. *)

val expect : choice -> unit
(** The calling domain is going to {!use} it later; until then it keeps what it has. *)

(** {1 Domains that come and go} *)

type hold

val hold : choice -> hold
(** The calling domain's is at least this large until it is {!release}d. Costs what {!use} does; 0.1 us if it
    is as large already. *)

val release : hold -> unit
(** By the same domain; from any other, nothing, and the size stays. What was there before {!val-hold} is
    there again, unless another hold lasts, or the user has changed it meanwhile. *)
