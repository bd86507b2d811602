(** Checks of results. *)

open Weft_bench_harness

val elements :
  equal:('a -> 'a -> bool) ->
  show:('a -> string) ->
  length:int ->
  expected:(int -> 'a) ->
  (int -> 'a) ->
  (unit, Benchmark.wrong) result
(** [elements ~equal ~show ~length ~expected get] is right if [get i] equals [expected i] for every [i] from 0
    to [length - 1]. *)

val ints : expected:(int -> int) -> length:int -> int array -> (unit, Benchmark.wrong) result
(** [ints ~expected ~length a] is right if [a] has exactly the [length] expected elements. *)

val floats : expected:(int -> float) -> length:int -> float array -> (unit, Benchmark.wrong) result
(** [floats ~expected ~length a] is the same for floats: every bit must be right. *)

val matrix : expected:float array array -> float array array -> (unit, Benchmark.wrong) result
(** [matrix ~expected m] is right if [m] has the same rows, bit for bit. *)

val sorted : compare:('a -> 'a -> int) -> show:('a -> string) -> 'a array -> (unit, Benchmark.wrong) result
(** [sorted ~compare ~show a] is right if no element of [a] is less than the one before it. *)

val fingerprint : ('a -> int) -> 'a array -> int
(** [fingerprint hash a] is a number that is the same for the same elements in any order, and hardly ever for
    others. *)

val same_bits : float -> float -> bool
(** [same_bits x y] tells whether their bits are equal: those of [0.] and [-0.] are not. *)

val show_float : float -> string
(** [show_float x] is [x] with all its digits. *)

val once_per_size : (int -> 'a) -> int -> 'a
(** [once_per_size f] is [f], which is computed again only if the argument differs from that of the last call.
*)
