type t = (int * int) array

let empty = [||]

let of_sorted items =
  let merged = Dynarray.create () in
  let add (a, b) =
    if a < b then
      if Dynarray.is_empty merged then Dynarray.add_last merged (a, b)
      else
        let a', b' = Dynarray.get_last merged in
        if a <= b' then Dynarray.set merged (Dynarray.length merged - 1) (a', max b b')
        else Dynarray.add_last merged (a, b)
  in
  Array.iter add items;
  Dynarray.to_array merged

let of_list items =
  let items = Array.of_list items in
  Array.stable_sort (fun (a, _) (b, _) -> Int.compare a b) items;
  of_sorted items

let length t = Array.fold_left (fun sum (a, b) -> sum + b - a) 0 t

(* Goes through the edges of all sets, +1 and -1, in the order of time. [of_sorted] then joins intervals
   that touch. *)
let at_least n sets =
  let edges = Dynarray.create () in
  let add set =
    Array.iter
      (fun (a, b) ->
        Dynarray.add_last edges (a, 1);
        Dynarray.add_last edges (b, -1))
      set
  in
  List.iter add sets;
  let edges = Dynarray.to_array edges in
  Array.stable_sort (fun (a, _) (b, _) -> Int.compare a b) edges;
  let result = Dynarray.create () and depth = ref 0 and since = ref 0 in
  let step (time, by) =
    let before = !depth in
    depth := before + by;
    if before < n && !depth >= n then since := time
    else if before >= n && !depth < n then Dynarray.add_last result (!since, time)
  in
  Array.iter step edges;
  of_sorted (Dynarray.to_array result)

let first_after t time =
  let rec search low high =
    if low = high then low
    else
      let middle = (low + high) / 2 in
      if snd t.(middle) > time then search low middle else search (middle + 1) high
  in
  search 0 (Array.length t)

(* Where they begin to overlap is searched for: often one of them is short. *)
let inter s t =
  let result = Dynarray.create () in
  let rec go i j =
    if i < Array.length s && j < Array.length t then (
      let a, b = s.(i) and a', b' = t.(j) in
      let from = max a a' and until = min b b' in
      if from < until then Dynarray.add_last result (from, until);
      if b <= b' then go (i + 1) j else go i (j + 1))
  in
  if Array.length s > 0 && Array.length t > 0 then go (first_after s (fst t.(0))) (first_after t (fst s.(0)));
  Dynarray.to_array result

let overlap t ~from ~until = inter t (of_sorted [| (from, until) |])

let diff s t =
  let result = Dynarray.create () in
  let rec go i j a =
    if i < Array.length s then (
      let b = snd s.(i) in
      if j < Array.length t && snd t.(j) <= a then go i (j + 1) a
      else if j >= Array.length t || fst t.(j) >= b then (
        if a < b then Dynarray.add_last result (a, b);
        if i + 1 < Array.length s then go (i + 1) j (fst s.(i + 1)))
      else
        let a', b' = t.(j) in
        if a < a' then Dynarray.add_last result (a, a');
        if b' < b then go i (j + 1) b' else if i + 1 < Array.length s then go (i + 1) j (fst s.(i + 1)))
  in
  if Array.length s > 0 then go 0 0 (fst s.(0));
  Dynarray.to_array result

let union s t =
  let all = Array.append s t in
  Array.stable_sort (fun (a, _) (b, _) -> Int.compare a b) all;
  of_sorted all

let longest t =
  Array.fold_left
    (fun best (a, b) -> match best with Some (a', b') when b' - a' >= b - a -> best | _ -> Some (a, b))
    None t
