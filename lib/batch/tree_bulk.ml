open Weft_containers

(* One task adds so many bindings alone. *)
let alone = 256

module Make (Tree : Persistent.TREE) = struct
  module Key = Tree.Key

  let key bindings i = fst bindings.(i)

  let rec ascend bindings low high =
    high - low < 2
    || (Key.compare (key bindings low) (key bindings (low + 1)) < 0 && ascend bindings (low + 1) high)

  (* The first place from [low] to [high] whose key is not less than [k]. *)
  let rec not_below bindings k low high =
    if low = high then low
    else
      let middle = (low + high) lsr 1 in
      if Key.compare (key bindings middle) k < 0 then not_below bindings k (middle + 1) high
      else not_below bindings k low middle

  let rec build bindings low high =
    if low = high then Tree.empty
    else
      let middle = (low + high) lsr 1 in
      let k, v = bindings.(middle) in
      if high - low > alone then
        let left, right =
          Weft.par (fun () -> build bindings low middle) (fun () -> build bindings (middle + 1) high)
        in
        Tree.join left k v right
      else
        let left = build bindings low middle in
        Tree.join left k v (build bindings (middle + 1) high)

  let rec add_from tree bindings low high =
    if low = high then tree
    else if high - low = 1 then
      let k, v = bindings.(low) in
      Tree.insert tree k v
    else
      match Tree.expose tree with
      | Empty -> build bindings low high
      | Root { left; key = k; value; right } ->
          let first = not_below bindings k low high in
          let is_bound = first < high && Key.compare (key bindings first) k = 0 in
          let last = if is_bound then first + 1 else first in
          let left', right' =
            if high - low > alone then
              Weft.par
                (fun () -> add_from left bindings low first)
                (fun () -> add_from right bindings last high)
            else
              let left' = add_from left bindings low first in
              (left', add_from right bindings last high)
          in
          let value' = if is_bound then snd bindings.(first) else value in
          if left' == left && right' == right && value' == value then tree
          else Tree.rejoin tree left' k value' right'

  let add tree bindings = add_from tree bindings 0 (Array.length bindings)
end
