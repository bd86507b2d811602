(** [Stdlib.Effect], except that fibers which a run leaves suspended are ended when the next run starts, so
    that their stacks do not pile up. *)

type 'a t = 'a Stdlib.Effect.t = ..

exception Unhandled : 'a t -> exn

val perform : 'a t -> 'a

module Deep : sig
  type ('a, 'b) continuation = ('a, 'b) Stdlib.Effect.Deep.continuation

  type ('a, 'b) handler = ('a, 'b) Stdlib.Effect.Deep.handler = {
    retc : 'a -> 'b;
    exnc : exn -> 'b;
    effc : 'c. 'c t -> (('c, 'b) continuation -> 'b) option;
  }

  val continue : ('a, 'b) continuation -> 'a -> 'b
  val discontinue : ('a, 'b) continuation -> exn -> 'b
  val discontinue_with_backtrace : ('a, 'b) continuation -> exn -> Printexc.raw_backtrace -> 'b
  val get_callstack : ('a, 'b) continuation -> int -> Printexc.raw_backtrace
  val match_with : ('a -> 'b) -> 'a -> ('b, 'c) handler -> 'c
end
