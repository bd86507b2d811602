(** The elements beside a rank's block: see {!Distributed_array.with_halo}. *)

type 'a boundary = Periodic | Nearest | Outside of (int -> 'a)

val around : World.t -> Distribution.layout -> width:int -> 'a boundary -> 'a array -> 'a array
(** [around w l ~width boundary local] is [local], a rank's block, between its halo. All ranks call it, in
    {!Exchanges.together}.

    A rank and the ranks whose elements it needs send each other one message: that a rank needs elements of
    another one is mutual, since it means that they are not further apart than [width]; with [Nearest], the
    element at an end is needed by those alone that need what is between, too. *)
