module Make (Key : Weft_containers.Maps.ORDERED) = struct
  module Sequential = Weft_containers.Avl.Make (Key)
  include Split_join.Make (Sequential.Tree)
end
