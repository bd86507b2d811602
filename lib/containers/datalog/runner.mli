(** How tasks are run: this is where a scheduler comes in. *)

type t = {
  width : unit -> int;  (** how many tasks can run at the same time *)
  each : int -> (int -> unit) -> unit;
      (** [each n f] calls [f 0], ..., [f (n - 1)], in any order, and returns when all have returned; if one
          raises, it raises one of their exceptions when none is running any more *)
}

val sequential : t
(** Runs one task after the other. *)
