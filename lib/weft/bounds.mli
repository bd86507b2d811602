(** Checks of the arguments of collection functions. [who], the first argument, is the name of the public
    function, for the message. *)

val length : string -> int -> unit
(** @raise Invalid_argument if the length is negative, or no array has it. *)

val sum : string -> int -> int -> int
(** The sum of two lengths.
    @raise Invalid_argument if no array has it. *)

val text : string -> int -> unit
(** @raise Invalid_argument if no text has the length, which is not negative. *)

val buckets : string -> int -> unit
(** @raise Invalid_argument if the number of buckets is negative, or no array has so many elements. *)

val bucket : string -> int -> int -> unit
(** [bucket who b n]
    @raise Invalid_argument unless [b] is one of the buckets 0 to [n - 1]. *)

val same : string -> int -> int -> unit
(** @raise Invalid_argument if the lengths differ. *)

val not_empty : string -> int -> unit
(** @raise Invalid_argument if the length is 0. *)

val within : string -> pos:int -> len:int -> int -> unit
(** [within who ~pos ~len n]
    @raise Invalid_argument unless [pos] to [pos + len - 1] are indices of [n] elements; [len] may be 0. *)

val range : string -> int option -> int option -> int -> int * int
(** [range who pos len n] is the first and the last index of the range that optional arguments [?pos ?len]
    choose among [n] elements: from [pos] (default: 0), [len] elements (default: all that follow). If there
    are none, the last index is one less than the first.
    @raise Invalid_argument as {!within}. *)
