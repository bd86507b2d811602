(** The size of minor heaps.

    When the minor heap of one domain is full, all domains stop and collect theirs together: the more domains,
    the more often, and the dearer each time. Larger minor heaps make it rarer. So the domains that work in a
    pool of several get larger ones than OCaml's, unless the user has chosen: in OCAMLRUNPARAM, by [Gc.set],
    or for the pool.

    A minor heap is a matter of its domain, and only the domain itself can change its size. A new domain
    begins with OCaml's initial size. *)

val initial : int
(** OCaml's, in words: 262,144. *)

val words_for : domains:int -> at_once:int -> int
(** What is right for so many domains, in words, of which so many work at once. If these are fewer, another
    one waits in between, and it takes long until that one has a processor and joins in a collection. *)

val choice : ?asked:int -> domains:int -> at_once:int -> unit -> int option
(** The size for a pool, called by a domain that makes it: [asked]; or [None], if the user has chosen
    otherwise, or [initial] is right; or {!words_for}. *)

val set_by_user : unit -> string option
(** How, if the calling domain's is neither OCaml's nor ours. *)

val use : int -> unit
(** [use words]: the calling domain's is this large from now on, for good. *)

type hold

val hold : int -> hold
(** [hold words]: the calling domain's is at least this large until it is {!release}d. About 20 us if that is
    a change, 1 ms if no domain has had one as large before; 0.1 us if not. *)

val release : hold -> unit
(** By the same domain; from any other, nothing, and the size stays. What was there before {!hold} is there
    again, unless another hold lasts, or the user has changed it meanwhile. *)
