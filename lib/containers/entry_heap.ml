module Make (Order : Maps.ORDERED) = struct
  type 'v slot = Vacant | Entry of { priority : Order.t; value : 'v; arrival : int }

  let before a b =
    match (a, b) with
    | Entry a, Entry b ->
        let c = Order.compare a.priority b.priority in
        c < 0 || (c = 0 && a.arrival < b.arrival)
    | _ -> false

  (* {2 Merge sort} *)

  let few = 6

  let insertion_sort a lo n =
    for i = lo + 1 to lo + n - 1 do
      let x = a.(i) in
      let j = ref i in
      while !j > lo && before x a.(!j - 1) do
        a.(!j) <- a.(!j - 1);
        decr j
      done;
      if !j < i then a.(!j) <- x
    done

  (* Merges the first [left] elements of [b] with those of [a] from [right] to [stop - 1], into [a] from
     [at] on. *)
  let rec merge b i left a right stop at =
    if i < left then begin
      let x = b.(i) in
      if right < stop && before a.(right) x then begin
        a.(at) <- a.(right);
        merge b i left a (right + 1) stop (at + 1)
      end
      else begin
        a.(at) <- x;
        merge b (i + 1) left a right stop (at + 1)
      end
    end

  (* [b] has room for half of the elements. *)
  let rec sort_range a b lo n =
    if n <= few then insertion_sort a lo n
    else begin
      let left = n / 2 in
      sort_range a b lo left;
      sort_range a b (lo + left) (n - left);
      if before a.(lo + left) a.(lo + left - 1) then begin
        Array.blit a lo b 0 left;
        merge b 0 left a (lo + left) (lo + n) lo
      end
    end

  let rec in_order a i = i >= Array.length a || ((not (before a.(i) a.(i - 1))) && in_order a (i + 1))

  let sort a =
    let n = Array.length a in
    if not (in_order a 1) then sort_range a (Array.make ((n / 2) + 1) Vacant) 0 n

  (* {2 The heap} *)

  type 'v t = { mutable slots : 'v slot array; mutable size : int }

  let fewest = 16
  let create () = { slots = Array.make fewest Vacant; size = 0 }
  let size h = h.size
  let first h = h.slots.(0)
  let parent i = (i - 1) / 2

  (* The place to which [x] rises if it is put at [i]. *)
  let rec place_above slots x i =
    if i > 0 && before x slots.(parent i) then place_above slots x (parent i) else i

  let rec shift_down slots x i top =
    if i = top then slots.(i) <- x
    else begin
      slots.(i) <- slots.(parent i);
      shift_down slots x (parent i) top
    end

  let push h x =
    let n = h.size in
    if n = Array.length h.slots then begin
      let slots = Array.make (2 * n) Vacant in
      Array.blit h.slots 0 slots 0 n;
      h.slots <- slots
    end;
    let top = place_above h.slots x n in
    shift_down h.slots x n top;
    h.size <- n + 1

  (* The place to which [x] sinks among the first [n] if it is put at [i]. *)
  let rec place_below slots x i n =
    let left = (2 * i) + 1 in
    if left >= n then i
    else
      let child = if left + 1 < n && before slots.(left + 1) slots.(left) then left + 1 else left in
      if before slots.(child) x then place_below slots x child n else i

  (* Puts [x] at [i], what was there at its parent, and so on; the topmost element is dropped. *)
  let rec shift_up slots x i =
    let y = slots.(i) in
    slots.(i) <- x;
    if i > 0 then shift_up slots y (parent i)

  let pop h =
    let n = h.size - 1 in
    let last = h.slots.(n) in
    let place = place_below h.slots last 0 n in
    if n > 0 then shift_up h.slots last place;
    h.slots.(n) <- Vacant;
    h.size <- n

  let contents h = Array.sub h.slots 0 h.size

  let clear h =
    h.slots <- Array.make fewest Vacant;
    h.size <- 0

  let check h =
    for i = 1 to h.size - 1 do
      if before h.slots.(i) h.slots.(parent i) then failwith "an element of the heap before its parent"
    done;
    Array.iteri (fun i s -> if s = Vacant <> (i >= h.size) then failwith "a heap with a gap") h.slots
end
