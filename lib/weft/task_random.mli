(** Random numbers that are the same for every number of domains.

    {[
      let numbers n =
        let random = Weft.Random.make 42 in
        let a = Float.Array.create n in
        Weft.parallel_for ~start:0 ~finish:(n - 1)
          ~body:(fun i -> Float.Array.set a i (Weft.Random.float_at random i 1.))
          ();
        a
    ]}

    A generator gives numbers in two ways. The {e draws} ({!int}, {!uniform}, ...) change it, as OCaml's
    [Random] does: they are for one task. The functions {e by index} ({!float_at}, {!at}, ...) change nothing:
    their value depends on the earlier draws and on the index, and on nothing else. Any number of tasks may
    call them on the same generator at the same time, as long as nobody draws from it. They are for loops;
    forks use {!split}:

    {[
      let rec pi_darts random n =
        if n = 0 then 0
        else if n = 1 then
          let x = Weft.Random.uniform random 1. and y = Weft.Random.uniform random 1. in
          if (x *. x) +. (y *. y) < 1. then 1 else 0
        else
          let other = Weft.Random.split random in
          let a, b = Weft.par (fun () -> pi_darts random (n / 2)) (fun () -> pi_darts other (n - (n / 2))) in
          a + b
    ]}

    The numbers do not depend on which domain runs what, or when. The same seed gives the same numbers on
    every machine with 64 bits.

    This is SplitMix64 (Steele, Lea and Flood: Fast splittable pseudorandom number generators, OOPSLA 2014):
    128 bits of generator, good statistics, a few nanoseconds a number. It is not for secrets.

    {b Cost.} Each function is O(1), unless it says otherwise: some nanoseconds. For bounded integers this is
    the expected cost, since they sometimes need a second try; {!split}, {!copy}, {!at} and {!make} allocate a
    generator of about four words. *)

type t
(** A generator. *)

val make : int -> t
(** [make seed] is a new generator. Every seed is as good as any other. *)

val copy : t -> t
(** [copy t] is a generator in the state of [t]: both give the same numbers. *)

val split : t -> t
(** [split t] is a new generator whose numbers have nothing to do with those of [t]. It changes [t], like a
    draw. *)

(** {1 Draws}

    They change the generator: two tasks must not draw from the same one at the same time (nothing breaks, but
    the numbers may repeat and depend on timing). None allocates, except for a boxed result. *)

val bits : t -> int
(** [bits t] is 30 random bits. *)

val bits64 : t -> int64
(** [bits64 t] is 64 random bits: the paper's [nextLong]. *)

val int : t -> int -> int
(** [int t n] is an integer from 0 to [n - 1], all equally likely. [n] may be as great as [max_int].
    @raise Invalid_argument if [n < 1]. *)

val int_in_range : t -> min:int -> max:int -> int
(** [int_in_range t ~min ~max] is an integer from [min] to [max] (included), all equally likely. The range may
    be that of all integers.
    @raise Invalid_argument if [max < min]. *)

val uniform : t -> float -> float
(** [uniform t bound] is a number from 0 (included) to [bound] (not included): one of 2{^ 53} evenly spaced
    ones, all equally likely. (Not called [float], so that [Weft.Random.(...)] does not hide OCaml's function
    [float].) *)

val bool : t -> bool
(** [bool t] is [true] or [false], equally likely. *)

(** {1 By index}

    They change nothing, take the same time for every index, and may be called by several tasks at the same
    time. Every integer is an index. Different functions called with the same index use the same random bits:
    if one number per index is not enough, use {!at}, or different indices. After a draw or a split, the
    numbers are new ones. *)

val at : t -> int -> t
(** [at t i] is a new generator for the index [i]. Its numbers have nothing to do with those of [t], nor with
    those of other indices. For two numbers of each index, [float_at t (2 * i) 1.] and
    [float_at t ((2 * i) + 1) 1.] cost less than half of a generator and two draws. *)

val bits_at : t -> int -> int
(** [bits_at t i] is like {!bits}. *)

val bits64_at : t -> int -> int64
(** [bits64_at t i] is like {!bits64}. *)

val int_at : t -> int -> int -> int
(** [int_at t i n] is like {!int}.
    @raise Invalid_argument if [n < 1]. *)

val float_at : t -> int -> float -> float
(** [float_at t i bound] is like {!uniform}. *)

val bool_at : t -> int -> bool
(** [bool_at t i] is like {!bool}. *)

(** {1 Orders}

    These run in parallel, in the current pool, and draw from the generator once. *)

val shuffle : t -> 'a array -> unit
(** [shuffle t a] puts the elements of [a] into a random order; all orders are equally likely. The order
    depends on [t] and the length of [a] alone. O(n) work for n elements, and memory for another array. Its
    span is O(n), too, with a small factor: the caller alone does about n / 16 short steps, and if there are
    more than 4 million elements, a bucket is longer than 4,096.

    Elements go to random buckets, and each bucket is shuffled by itself: Rao (Sankhya, 1961) and Sandelius
    (J. Royal Stat. Soc. B, 1962). The caller alone shuffles arrays of up to some thousand elements. If it is
    cancelled, [a] holds its elements in some order. *)

val permutation : t -> int -> int array
(** [permutation t n] is the integers from 0 to [n - 1] in a random order, made by {!shuffle}, at its cost.
    @raise Invalid_argument if [n] is negative or more than an array can have. *)

(**/**)

(** For the tests. *)
module Private : sig
  val permutation : bucket:int -> t -> int -> int array
  (** In buckets of about [bucket] elements. *)
end
