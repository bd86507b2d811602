(** Contestants: the ways of running a program that benchmarks compare.

    A contestant says how to enter and leave its world (a pool of domains, or nothing at all). What is run
    there belongs to the benchmark ({!Benchmark.way}): each calls the contestant's own functions directly,
    because a call through a record would cost about as much as the fork to be measured.

    A contestant is added by one module with its [t], and a way in each benchmark that it takes part in. *)

type role =
  | Baseline  (** the plain program that all others are compared with *)
  | Beside  (** another plain program, shown beside it *)
  | Contender  (** what is to be judged *)

type missing = {
  name : string;
  reason : string;  (** one line, no full stop *)
  benchmarks : string list;  (** in which it would take part, by name *)
}
(** A contestant that is not there. *)

type t = {
  name : string;  (** as in [--method] and in the rows *)
  doc : string;  (** one line, no full stop *)
  role : role;
  inside : 'a. domains:int -> (unit -> 'a) -> 'a;
      (** [inside ~domains f] is [f ()], called where [domains] domains share its work. Nothing of it is left
          when the call has returned: an idle domain would slow down the garbage collector of the next
          contestant. What happens before and after [f] is not timed. Raises what [f] raises, and [Failure] if
          there are not that many domains. *)
}

val is_plain : role -> bool
(** [is_plain role] tells whether that is a plain program: it runs once for each benchmark and size, on one
    domain and without a cutoff, whatever was asked for. *)

val equal : t -> t -> bool
(** [equal a b] tells whether [a] and [b] have the same name. *)
