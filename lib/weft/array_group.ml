(* Most equal keys are found by one comparison of words: the functions are called if hashes are the same. *)
let same x y = x == y || compare x y = 0

let of_keys ~who ?(hash = Hashtbl.hash) ?(equal = same) keys use =
  Current_worker.in_pool (fun () -> use keys (Hashed_keys.make ~who ~hash ~equal keys))

(* [use keys groups] for the keys of [n] elements; each is computed once, in parallel however long it takes. *)
let by_key ~who ?hash ?equal n key use =
  if n = 0 then [||]
  else
    Current_worker.in_pool @@ fun () ->
    let keys =
      Results.by_blocks ~who ~length:n key (fun r first last ->
          for i = first to last do
            Array.unsafe_set r i (key i)
          done)
    in
    of_keys ~who ?hash ?equal keys use

(* Element [g] of the result is [f g]. *)
let of_groups ~who groups f =
  Results.by_blocks ~who ~length:(Hashed_keys.groups groups) f (fun r first last ->
      for g = first to last do
        Array.unsafe_set r g (f g)
      done)

(* For each entry, the number of its elements. *)
let count groups =
  let counts = Array.make (Hashed_keys.entries groups) 0 in
  Hashed_keys.over_elements groups (fun _ e -> counts.(e) <- counts.(e) + 1);
  counts

let histogram_by_key ?hash ?equal ~key a =
  let who = "Weft.Array.histogram_by_key" in
  by_key ~who ?hash ?equal (Array.length a)
    (fun i -> key (Array.unsafe_get a i))
    (fun keys groups ->
      let counts = count groups in
      Hashed_keys.over_entries groups (fun e l -> if e <> l then counts.(l) <- counts.(l) + counts.(e));
      of_groups ~who groups (fun g ->
          (keys.(Hashed_keys.first groups g), counts.(Hashed_keys.leader groups g))))

let remove_duplicates ?hash ?equal a =
  let who = "Weft.Array.remove_duplicates" in
  if Array.length a = 0 then [||]
  else
    of_keys ~who ?hash ?equal a (fun keys groups ->
        of_groups ~who groups (fun g -> keys.(Hashed_keys.first groups g)))

let reduce_by_key ?hash ?equal f a =
  let who = "Weft.Array.reduce_by_key" in
  by_key ~who ?hash ?equal (Array.length a)
    (fun i -> fst (Array.unsafe_get a i))
    (fun keys groups ->
      let value i = snd (Array.unsafe_get a i) in
      let sums = Results.to_write (value 0) (Hashed_keys.entries groups) in
      Hashed_keys.over_elements groups (fun i e ->
          sums.(e) <- (if Hashed_keys.is_first groups i e then value i else f sums.(e) (value i)));
      Hashed_keys.over_entries groups (fun e l -> if e <> l then sums.(l) <- f sums.(l) sums.(e));
      of_groups ~who groups (fun g -> (keys.(Hashed_keys.first groups g), sums.(Hashed_keys.leader groups g))))

(* The elements of each entry have a place in the array of their group, behind those of the entries before. *)
let group ~who keys groups value =
  let next = count groups and sizes = Array.make (Hashed_keys.entries groups) 0 in
  Hashed_keys.over_entries groups (fun e l ->
      let here = next.(e) in
      next.(e) <- sizes.(l);
      sizes.(l) <- sizes.(l) + here);
  let result =
    of_groups ~who groups (fun g ->
        let first = Hashed_keys.first groups g in
        (keys.(first), Results.to_write (value first) sizes.(Hashed_keys.leader groups g)))
  in
  Hashed_keys.over_elements groups (fun i e ->
      let _, members = result.(Hashed_keys.key_of_entry groups e) in
      let at = next.(e) in
      members.(at) <- value i;
      next.(e) <- at + 1);
  result

let group_by ?hash ?equal ~key a =
  let who = "Weft.Array.group_by" in
  let value i = Array.unsafe_get a i in
  by_key ~who ?hash ?equal (Array.length a)
    (fun i -> key (value i))
    (fun keys groups -> group ~who keys groups value)

let group_by_key ?hash ?equal a =
  let who = "Weft.Array.group_by_key" in
  by_key ~who ?hash ?equal (Array.length a)
    (fun i -> fst (Array.unsafe_get a i))
    (fun keys groups -> group ~who keys groups (fun i -> snd (Array.unsafe_get a i)))
