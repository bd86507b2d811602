module Make (Key : Weft_containers.Maps.ORDERED) = struct
  (* A task that has a part of [order] also has the same part of [spare] for itself. *)
  type t = { keys : Key.t array; order : int array; spare : int array }

  let make n key =
    let order = Array.make n 0 in
    for i = 1 to n - 1 do
      order.(i) <- i
    done;
    { keys = Array.init n key; order; spare = Array.make n 0 }

  let index b i = b.order.(i)
  let key b i = b.keys.(b.order.(i))

  let is_sorted b =
    let rec from i =
      i >= Array.length b.order || (Key.compare (key b (i - 1)) (key b i) <= 0 && from (i + 1))
    in
    from 1

  let sort b low high =
    let part = Array.sub b.order low (high - low) in
    Weft.Array.stable_sort (fun i j -> Key.compare b.keys.(i) b.keys.(j)) part;
    Array.blit part 0 b.order low (high - low)

  (* In a sorted part, the first place whose key is not smaller than [k]. *)
  let rec not_below b k low high =
    if low = high then low
    else
      let middle = (low + high) lsr 1 in
      if Key.compare (key b middle) k < 0 then not_below b k (middle + 1) high else not_below b k low middle

  let rec above b k low high =
    if low = high then low
    else
      let middle = (low + high) lsr 1 in
      if Key.compare (key b middle) k <= 0 then above b k (middle + 1) high else above b k low middle

  let around b i low high =
    let k = key b i in
    (not_below b k low i, above b k (i + 1) high)

  (* Moves the [equal] keys that are equal to [k] to the front. *)
  let equal_first b k ~equal low high =
    let { keys; order; spare } = b in
    let next = ref low and rest = ref (low + equal) in
    for i = low to high - 1 do
      let j = order.(i) in
      let place = if !next < low + equal && Key.compare keys.(j) k = 0 then next else rest in
      spare.(!place) <- j;
      incr place
    done;
    Array.blit spare low order low (high - low)

  (* The loop writes each index to both sides and then advances on one of them: a branch on a comparison of
     random keys would cost more. *)
  let partition b k low high =
    let { keys; order; spare } = b in
    let below = ref low and others = ref low and equal = ref 0 in
    for i = low to high - 1 do
      let j = order.(i) in
      let c = Key.compare keys.(j) k in
      let is_below = c lsr (Sys.int_size - 1) in
      order.(!below) <- j;
      spare.(!others) <- j;
      below := !below + is_below;
      others := !others + 1 - is_below;
      if c = 0 then incr equal
    done;
    Array.blit spare low order !below (high - !below);
    if !equal > 0 then equal_first b k ~equal:!equal !below high;
    (!below, !below + !equal)

  let divide b k low high ~sorted =
    if sorted then
      let first = not_below b k low high in
      (first, above b k first high)
    else partition b k low high
end
