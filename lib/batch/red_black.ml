module Make (Key : Weft_containers.Maps.ORDERED) = struct
  module Sequential = Weft_containers.Red_black.Make (Key)
  include Split_join.Make (Sequential.Tree)
end
