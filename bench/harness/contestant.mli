(** Contestants: the ways of running a program that benchmarks compare.

    A contestant says how to enter and leave its environment (a pool of domains, or nothing at all). The
    benchmark says what runs there ({!Benchmark.way}): each benchmark calls the contestant's own functions
    directly, because a call through a record would cost about as much as the fork to be measured.

    To add a contestant, write one module with its [t], and a way in each benchmark that it takes part in. *)

type role =
  | Baseline  (** the plain program that all others are compared with *)
  | Beside  (** another plain program, shown beside it *)
  | Contender  (** what is to be judged *)

type missing = {
  name : string;
  reason : string;  (** one line, no full stop *)
  benchmarks : string list;  (** the names of the benchmarks in which it would take part *)
}
(** A contestant that is missing. *)

type t = {
  name : string;  (** as in [--method] and in the rows *)
  doc : string;  (** one line, no full stop *)
  role : role;
  inside : 'a. domains:int -> (unit -> 'a) -> 'a;
      (** [inside ~domains f] is [f ()], called where [domains] domains share its work. When it returns,
          nothing of the environment is left: an idle domain would slow down the garbage collector of the next
          contestant. What happens before and after [f] is not timed. Raises what [f] raises, and [Failure] if
          there are not that many domains. *)
}

val is_plain : role -> bool
(** [is_plain role] is whether it is the role of a plain program. Such a program runs once for each benchmark
    and size, on one domain and without a cutoff, whatever was asked for. *)

val equal : t -> t -> bool
(** [equal a b] is whether [a] and [b] have the same name. *)
