let parts_per_worker = 8

(* Calls [body k first last] for the parts 0 to [parts - 1] of the range from [start] to [finish], which must
   have at least [parts] indices. *)
let over who ~parts ~start ~finish body =
  let n = finish - start + 1 in
  let begins k = start + (k * (n / parts)) + min k (n mod parts) in
  Loop.blocks ~who ~start:0 ~finish:(parts - 1) (fun i j ->
      for k = i to j do
        body k (begins k) (begins (k + 1) - 1)
      done)

(* --- group_by --- *)

(* One key of a part. *)
type 'k entry = {
  number : int; (* among the keys of the part *)
  key : 'k;
  first : int; (* the index of the first element *)
  mutable count : int;
  mutable group : int; (* the number of the key among those of all parts *)
  mutable next : int; (* where in the group the part's next element goes *)
}

type group = { index : int; example : int; (* the index of an element *) mutable size : int }

(* The keys of a part in the order of their first occurrences, which is the order of their numbers. Writes the
   number of each element's key to [numbers]. *)
let survey key a numbers first last =
  let known = Hashtbl.create 16 in
  let entries = ref [] in
  for i = first to last do
    let k = key (Array.unsafe_get a i) in
    let e =
      match Hashtbl.find_opt known k with
      | Some e -> e
      | None ->
          let number = Hashtbl.length known in
          let e = { number; key = k; first = i; count = 0; group = 0; next = 0 } in
          Hashtbl.add known k e;
          entries := e :: !entries;
          e
    in
    e.count <- e.count + 1;
    numbers.(i) <- e.number
  done;
  Array.of_list (List.rev !entries)

(* Goes through the parts from left to right, so groups come in the order of their first elements; notes for
   each part where its elements go. *)
let merge parts =
  let known = Hashtbl.create 64 in
  let groups = ref [] in
  let group_of e =
    match Hashtbl.find_opt known e.key with
    | Some g -> g
    | None ->
        let g = { index = Hashtbl.length known; example = e.first; size = 0 } in
        Hashtbl.add known e.key g;
        groups := (e.key, g) :: !groups;
        g
  in
  let add e =
    let g = group_of e in
    e.group <- g.index;
    e.next <- g.size;
    g.size <- g.size + e.count
  in
  Array.iter (Array.iter add) parts;
  Array.of_list (List.rev !groups)

let group key a =
  let who = "Weft.Array.group_by" in
  let n = Array.length a in
  let count = min n (parts_per_worker * Current_worker.workers ()) in
  let over body = over who ~parts:count ~start:0 ~finish:(n - 1) body in
  let numbers = Results.make n 0 in
  let parts = Array.make count [||] in
  over (fun k first last -> parts.(k) <- survey key a numbers first last);
  let groups = merge parts in
  let result =
    Results.by_blocks ~who ~length:(Array.length groups)
      (fun g ->
        let key, { example; size; _ } = groups.(g) in
        (key, Results.to_write (Array.unsafe_get a example) size))
      (fun r first last ->
        for g = first to last do
          let key, { example; size; _ } = groups.(g) in
          r.(g) <- (key, Results.to_write (Array.unsafe_get a example) size)
        done)
  in
  over (fun k first last ->
      let entries = parts.(k) in
      for i = first to last do
        let e = entries.(numbers.(i)) in
        let _, members = result.(e.group) in
        members.(e.next) <- Array.unsafe_get a i;
        e.next <- e.next + 1
      done);
  result

let group_by key a = if Array.length a = 0 then [||] else Current_worker.in_pool (fun () -> group key a)

(* --- histogram --- *)

let who = "Weft.Array.histogram"
let[@inline never] no_bucket b buckets = invalid_arg (Printf.sprintf "%s: bucket %d of %d" who b buckets)

(* Every part has its own counts. *)
let count_in_parts ~parts ~buckets ~start ~finish f a =
  let counts = Array.make parts [||] in
  over who ~parts ~start ~finish (fun k first last ->
      let mine = Array.make buckets 0 in
      for i = first to last do
        let b = f (Array.unsafe_get a i) in
        if b < 0 || b >= buckets then no_bucket b buckets;
        Array.unsafe_set mine b (Array.unsafe_get mine b + 1)
      done;
      counts.(k) <- mine);
  let total = counts.(0) in
  Loop.blocks ~who ~start:0 ~finish:(buckets - 1) (fun first last ->
      for k = 1 to parts - 1 do
        let part = counts.(k) in
        for b = first to last do
          Array.unsafe_set total b (Array.unsafe_get total b + Array.unsafe_get part b)
        done
      done);
  total

(* Only [f] runs in parallel: with more buckets than elements, that is what takes time. *)
let count_alone ~buckets ~start ~finish f a =
  let chosen = Array.make (finish - start + 1) 0 in
  Loop.blocks ~who ~start ~finish (fun first last ->
      for i = first to last do
        let b = f (Array.unsafe_get a i) in
        if b < 0 || b >= buckets then no_bucket b buckets;
        Array.unsafe_set chosen (i - start) b
      done);
  let total = Array.make buckets 0 in
  Array.iter (fun b -> total.(b) <- total.(b) + 1) chosen;
  total

let histogram ?pos ?len ~buckets f a =
  if buckets < 0 then invalid_arg (Printf.sprintf "%s: negative number of buckets %d" who buckets);
  Bounds.length who buckets;
  let start, finish = Bounds.range who pos len (Array.length a) in
  if finish < start then Array.make buckets 0
  else
    Current_worker.in_pool @@ fun () ->
    let parts = parts_per_worker * Current_worker.workers () in
    (* Adding up the parts must not take longer than counting. *)
    if buckets > 0 && buckets <= (finish - start + 1) / parts then
      count_in_parts ~parts ~buckets ~start ~finish f a
    else count_alone ~buckets ~start ~finish f a
