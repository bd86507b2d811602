(** The one word of a batched structure: whether a call is inside, and the calls that wait.

    {v
    Idle ----enter----> Busy                          a lone caller, without any allocation
    Busy ----leave----> Idle                          unless calls have come
    Busy | Call | Turn ----push----> Call | Turn      a call that finds another one inside joins the list
    Call | Turn ----take----> Busy                    the owner takes the whole list
    v}

    One caller is inside at a time: the {e owner}. Ownership belongs to no thread; it may be handed on, while
    the word stays what it is. Every change is one compare-and-set.

    {b Nobody is forgotten.} A call is pushed only onto a word that is not [Idle], so there is an owner that
    has not left yet; to leave is a compare-and-set from [Busy], which fails if anything was pushed: then the
    owner must {!take}, or hand the ownership to somebody who will. If the word has turned [Idle] before the
    push, the caller enters instead.

    The waiting calls form a chain, youngest first; [depth] is its length, so that it is known without
    counting. After Treiber's stack (1986) taken as a whole, as in flat combining (Hendler, Incze, Shavit and
    Tzafrir, SPAA 2010) and BATCHER (Agrawal et al., SPAA 2014). *)

type ('call, 'caller) word =
  | Idle
  | Busy
  | Call of {
      call : 'call;
      caller : 'caller;  (** the waiting caller *)
      mutable next : ('call, 'caller) word;  (** [Busy], if it is the eldest *)
      mutable depth : int;
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

val push : ('call, 'caller) t -> ('call, 'caller) word -> onto:('call, 'caller) word -> bool
(** [push g c ~onto] puts the [Call] or [Turn] [c] on top of [onto], unless the word is no longer that. [onto]
    must not be [Idle]. [c] must never have been pushed before: that the word is still [onto] must mean that
    the chain below is what it was. *)

val put_back : ('call, 'caller) t -> ('call, 'caller) word list -> bool
(** [put_back g cs] pushes calls that have been taken once more, at the end, the first of them first, with
    nobody between, as new blocks. [true]: nobody was the owner, so the caller is now: it must serve them, or
    pass the ownership on. *)

val take : ('call, 'caller) t -> ('call, 'caller) word
(** Takes the chain, or [Busy] if there is none; the word is [Busy] then. It must not be [Idle]: call it as
    the owner, or while a waiting call is known to be in the chain. *)

val take_if : ('call, 'caller) t -> ('call, 'caller) word -> bool
(** [take_if g chain] takes [chain], unless the word is no longer that. From any thread. *)

val depth : ('call, 'caller) word -> int
(** How many calls wait. *)
