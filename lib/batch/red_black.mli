(** Red-black trees, batched: {!Split_join} of {!Weft_containers.Red_black}.

    A change costs O(log n), or its share of a batch if others change the map at the same time. *)
module Make (Key : Weft_containers.Maps.ORDERED) : sig
  module Sequential : module type of struct
    include Weft_containers.Red_black.Make (Key)
  end

  include Split_join.S with module Key := Key and module Tree := Sequential.Tree
end
