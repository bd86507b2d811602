module type KIND = sig
  val name : string
  val is_slow : bool
  val feigned : int

  module Map : Weft_containers.Rooted.S with module Key := Keys

  val check : 'v Map.Tree.t -> unit

  module Batched : Weft_batch.Split_join.S with module Key := Keys and module Tree := Map.Tree
end

module Avl = struct
  let name = "AVL"
  let is_slow = false
  let feigned = 0

  module Batched = Weft_batch.Avl.Make (Keys)
  module Map = Batched.Sequential

  let check = Map.Tree.check
end

module Red_black = struct
  let name = "red-black"
  let is_slow = false
  let feigned = 0

  module Batched = Weft_batch.Red_black.Make (Keys)
  module Map = Batched.Sequential

  let check = Map.Tree.check
end

module Treap = struct
  let name = "treap"
  let is_slow = false
  let feigned = 0

  module Batched = Weft_batch.Treap.Make (Keys)
  module Map = Batched.Sequential

  let check = Map.Tree.check
end

(* The least that a user can supply: sorted arrays, exposed in their middle. *)
module Sorted_array = struct
  module Key = Keys

  type 'v t = (int * 'v) array

  let empty = [||]
  let length = Array.length

  let expose t : _ Weft_containers.Persistent.view =
    let n = Array.length t in
    if n = 0 then Empty
    else
      let key, value = t.(n / 2) in
      Root { left = Array.sub t 0 (n / 2); key; value; right = Array.sub t ((n / 2) + 1) (n - (n / 2) - 1) }

  let join l k v r = Array.concat [ l; [| (k, v) |]; r ]
end

module Plain = struct
  let name = "a user's"
  let is_slow = true
  let feigned = 0

  module Tree = Weft_containers.Join_based.Make (Sorted_array)
  module Map = Weft_containers.Rooted.Make (Tree)
  module Batched = Weft_batch.Split_join.Make (Tree)

  let check t =
    Array.iteri (fun i (k, _) -> if i > 0 && fst t.(i - 1) >= k then failwith "keys out of order") t
end

module Large = struct
  let name = "large AVL"
  let is_slow = false
  let feigned = 1 lsl 30

  module Tree = struct
    include Avl.Map.Tree

    let length t = length t + feigned
  end

  module Map = Weft_containers.Rooted.Make (Tree)
  module Batched = Weft_batch.Split_join.Make (Tree)

  let check = Avl.Map.Tree.check
end
