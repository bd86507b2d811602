(** Contestants: the ways of running a program that benchmarks compare.

    A contestant says how to enter and leave its world (a pool of domains, or nothing at all). What is run
    there belongs to the benchmark ({!Benchmark.way}): each calls the contestant's own functions directly,
    because a call through a record would cost about as much as the fork to be measured.

    A rival is added by one module with its [t], and a way in each benchmark that it takes part in. *)

type t = {
  name : string;  (** as in [--method] and in the rows *)
  doc : string;  (** one line, no full stop *)
  baseline : bool;
      (** the plain program that the others are compared with: it runs once for each benchmark and size, on
          one domain and without a cutoff, whatever was asked for *)
  inside : 'a. domains:int -> (unit -> 'a) -> 'a;
      (** [inside ~domains f] is [f ()], called where [domains] domains share its work. Nothing of it is left
          when the call has returned: an idle domain would slow down the garbage collector of the next
          contestant. What happens before and after [f] is not timed. Raises what [f] raises, and [Failure] if
          there are not that many domains. *)
}

val equal : t -> t -> bool
(** [equal a b] tells whether [a] and [b] have the same name. *)
