(** The one word of a batched structure: whether a call is inside, and the calls that wait.

    {v
    Idle ----enter----> Busy                          a lone caller, without any allocation
    Busy ----leave----> Idle                          unless calls have come
    Busy | Call | Turn ----push----> Call | Turn      a call that finds another one inside joins the list
    Idle ----push_all----> Call                       calls are submitted to a free structure: who does so is
                                                      the owner
    Call | Turn ----take----> Busy                    the owner takes the whole list
    Call | Turn ----replace----> Busy | Call | Turn   some that wait give up
    v}

    One caller is inside at a time: the {e owner}. Ownership belongs to no thread; it may be handed on, while
    the word stays what it is. Every change is one atomic step.

    {b Nobody is forgotten.} A call is pushed onto a word that is not [Idle], so there is an owner that has
    not left yet; or {!push_all} pushes it onto [Idle], and whoever did that is the owner. To leave is a
    compare-and-set from [Busy], which fails if anything was pushed: then the owner must {!take}, or hand the
    ownership to somebody who will. If {!push} finds the word [Idle], its caller enters instead.

    The waiting calls form a chain, youngest first; the youngest has its length ([depth]), so that it is known
    without counting. After Treiber's stack (1986) taken as a whole, as in flat combining (Hendler, Incze,
    Shavit and Tzafrir, SPAA 2010) and BATCHER (Agrawal et al., SPAA 2014). *)

type ('call, 'caller) word =
  | Idle
  | Busy
  | Call of {
      call : 'call;
      caller : 'caller;  (** who is told when it has been applied *)
      mutable next : ('call, 'caller) word;  (** [Busy], if it is the oldest *)
      mutable depth : int;  (** how many calls wait, if this is the youngest *)
    }
  | Turn of { caller : 'caller; mutable next : ('call, 'caller) word; mutable depth : int }
      (** a caller that wants to be the owner when those before it have been served *)

type ('call, 'caller) t

val make : unit -> ('call, 'caller) t
(** [Idle]. *)

val enter : ('call, 'caller) t -> bool
(** Whether the word was [Idle]: the caller is the owner now. *)

val leave : ('call, 'caller) t -> bool
(** By the owner: whether no call waits; then it is no longer the owner. *)

val look : ('call, 'caller) t -> ('call, 'caller) word

val call : 'call -> 'caller -> ('call, 'caller) word
(** A new [Call], not yet pushed. *)

val push : ('call, 'caller) t -> ('call, 'caller) word -> onto:('call, 'caller) word -> bool
(** [push g c ~onto] puts the [Call] or [Turn] [c] on top of [onto], unless the word is no longer that. [onto]
    must not be [Idle]. [c] must never have been pushed before: that the word is still [onto] must mean that
    the chain below is what it was. *)

val push_all : ('call, 'caller) t -> ('call, 'caller) word array -> ('call, 'caller) word
(** [push_all g cs] puts all of [cs], one or more, on top, the first of them first, with nobody between, and
    is the word that was there. [Idle]: the caller is the owner now, and must serve them, or pass the
    ownership on. Otherwise like {!push}. *)

val take : ('call, 'caller) t -> ('call, 'caller) word
(** Takes the chain, or [Busy] if there is none; the word is [Busy] then. By the owner. *)

val again : ('call, 'caller) word -> onto:('call, 'caller) word -> ('call, 'caller) word
(** [again c ~onto] is a new block of the call or turn [c], on top of [onto]. *)

val replace : ('call, 'caller) t -> ('call, 'caller) word -> ('call, 'caller) word -> bool
(** [replace g chain others] puts [others], a chain of those calls of [chain] that go on waiting, made by
    {!again}, in the place of [chain], unless the word is no longer that. From any thread: as long as a call
    waits there is an owner, who will find what is left. *)

val depth : ('call, 'caller) word -> int
(** How many calls wait. *)
