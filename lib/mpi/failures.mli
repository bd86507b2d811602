(** Failures of one rank that all ranks learn of, so that all leave a function by an exception. *)

exception Elsewhere of { rank : int; text : string; backtrace : string }
(** Raised by a rank for an exception of another one. *)

type own
(** What was raised on this rank. *)

val caught : at:int -> exn -> own
(** [caught ~at exn] is the failure by [exn], with its backtrace; to be called in the handler of the
    exception. Of several failures, the one with the least [at] counts. *)

val order : own -> int

type report
(** What the other ranks are told of a failure. It can be marshalled. *)

val report : own -> report

type t
(** The failure that counts, of all ranks. *)

val first : rank:int -> own option -> report option array -> t option
(** [first ~rank own reports] is the least of the failures that all ranks have reported, of the lowest rank if
    there are several. [own] is that of this rank, [rank]. *)

val at : t -> int

val reraise : t -> 'a
(** Raises the exception itself on the rank where it was raised, and {!Elsewhere} on the others. *)
