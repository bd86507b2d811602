(** Chooses the tics of an axis. *)

type scale = Linear | Logarithmic

type t = {
  from : float;  (** the beginning of the axis *)
  upto : float;
  ticks : (float * string) list;  (** in ascending order, with their labels *)
}

val make : ?most:int -> scale -> least:float -> greatest:float -> t
(** [make ~most scale ~least ~greatest] is an axis that holds both, with at most [most] round tics (default:
    8; one or two more on a linear one). A linear one begins at 0 unless [least < 0]; a logarithmic one needs
    [0 < least].
    @raise Invalid_argument
      if [least > greatest], one of them is not finite, or [least <= 0] for a logarithmic axis. *)
