(** The elements beside a rank's block: see {!Distributed_array.with_halo}. *)

type 'a boundary = Periodic | Nearest | Outside of (int -> 'a)

val around : World.t -> Distribution.layout -> width:int -> 'a boundary -> 'a array -> 'a array
(** [around w l ~width boundary local] is [local], a rank's block, between its halo. All ranks call it, in
    {!Exchanges.together}.

    A rank sends one message to each rank whose elements it needs, and gets one from it: need is mutual. For
    two ranks need each other's elements if any of these are at most [width] apart, with [Periodic] around the
    ends, too. [Nearest] adds no need: a rank with a cell beyond an end has the element at that end in its
    block or its halo. *)
