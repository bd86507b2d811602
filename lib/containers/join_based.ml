module Make (J : Persistent.JOINABLE) = struct
  include J

  let rejoin _ left key value right = join left key value right

  let rec find_opt t k =
    match expose t with
    | Empty -> None
    | Root { left; key; value; right } ->
        let c = Key.compare k key in
        if c = 0 then Some value else find_opt (if c < 0 then left else right) k

  let warm _ ~change:_ _ _ = ()
  let mem t k = Option.is_some (find_opt t k)

  let rec min_binding_opt t =
    match expose t with
    | Empty -> None
    | Root { left; key; value; _ } -> (
        match min_binding_opt left with None -> Some (key, value) | Some _ as b -> b)

  let rec max_binding_opt t =
    match expose t with
    | Empty -> None
    | Root { right; key; value; _ } -> (
        match max_binding_opt right with None -> Some (key, value) | Some _ as b -> b)

  let rec succ_or best t k =
    match expose t with
    | Empty -> best
    | Root { left; key; value; right } ->
        if Key.compare k key < 0 then succ_or (Some (key, value)) left k else succ_or best right k

  let rec pred_or best t k =
    match expose t with
    | Empty -> best
    | Root { left; key; value; right } ->
        if Key.compare k key > 0 then pred_or (Some (key, value)) right k else pred_or best left k

  let succ t k = succ_or None t k
  let pred t k = pred_or None t k

  let rec insert t k v =
    match expose t with
    | Empty -> join empty k v empty
    | Root { left; key; value; right } ->
        let c = Key.compare k key in
        if c = 0 then if value == v then t else join left key v right
        else if c < 0 then
          let left' = insert left k v in
          if left' == left then t else join left' key value right
        else
          let right' = insert right k v in
          if right' == right then t else join left key value right'

  let rec remove_min t =
    match expose t with
    | Empty -> t
    | Root { left; key; value; right } ->
        if length left = 0 then right else join (remove_min left) key value right

  let join2 l r =
    match min_binding_opt r with
    | None -> l
    | Some (k, v) -> if length l = 0 then r else join l k v (remove_min r)

  let rec remove t k =
    match expose t with
    | Empty -> t
    | Root { left; key; value; right } ->
        let c = Key.compare k key in
        if c = 0 then join2 left right
        else if c < 0 then
          let left' = remove left k in
          if left' == left then t else join left' key value right
        else
          let right' = remove right k in
          if right' == right then t else join left key value right'

  let rec split t k =
    match expose t with
    | Empty -> (empty, None, empty)
    | Root { left; key; value; right } ->
        let c = Key.compare k key in
        if c = 0 then (left, Some value, right)
        else if c < 0 then
          let l, v, r = split left k in
          (l, v, join r key value right)
        else
          let l, v, r = split right k in
          (join left key value l, v, r)

  let rec iter f t =
    match expose t with
    | Empty -> ()
    | Root { left; key; value; right } ->
        iter f left;
        f key value;
        iter f right

  let rec fold f t acc =
    match expose t with
    | Empty -> acc
    | Root { left; key; value; right } -> fold f right (f key value (fold f left acc))

  let rec visit t rest () =
    match expose t with
    | Empty -> rest ()
    | Root { left; key; value; right } -> visit left (fun () -> Seq.Cons ((key, value), visit right rest)) ()

  let to_seq t = visit t Seq.empty
end
