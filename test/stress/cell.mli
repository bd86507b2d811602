(** What one kind of scenarios did on one number of domains. *)

type use = {
  memory : int;  (** of the process, in KiB; 0 where there is no /proc *)
  live : int;  (** reachable from OCaml, in KiB *)
  descriptors : int;
}

type t = {
  kind : string;
  domains : int;
  seed : int;
  rounds : int;
  operations : int;  (** [Kit.did] *)
  lost : int;  (** [Kit.fails] *)
  stall : float;  (** the longest time in which no scenario ended, in seconds *)
  warm : use;  (** after the warm-up *)
  last : use;
}

val used : unit -> use
(** After a collection. *)

val faults : t -> string list
(** What is not as it must be: something was lost; live words, or in 100 rounds and more memory, grew by more
    than 2 % and a MiB since the warm-up; there are more than three more descriptors. *)

val print : t -> unit
(** Writes a line. *)

val read : string -> t option
(** The cell of such a line. *)
