type for_all = int -> (int -> unit) -> unit

let in_order n body =
  for i = 0 to n - 1 do
    body i
  done

type t = { order : int array; starts : int array }

let block = 4096

let for_blocks for_all n body =
  if n > 0 then for_all ((n + block - 1) / block) (fun b -> body (b * block) (min n ((b + 1) * block) - 1))

let group for_all ~classes ?(first = 0) class_of =
  let n = Array.length class_of in
  let blocks = (n + block - 1) / block in
  (* [places.(b).(c)] is first how many items of class [c] block [b] has, then where the next one of them
     goes. *)
  let places = Array.make blocks [||] in
  for_all blocks (fun b ->
      let counts = Array.make classes 0 in
      for i = b * block to min n ((b + 1) * block) - 1 do
        let c = Array.unsafe_get class_of i in
        if c < 0 || c >= classes then
          invalid_arg (Printf.sprintf "Weft_containers.Grouping.group: class %d of %d" c classes);
        Array.unsafe_set counts c (Array.unsafe_get counts c + 1)
      done;
      places.(b) <- counts);
  let starts = Array.make (classes + 1) n in
  let next = ref 0 in
  for c = 0 to classes - 1 do
    starts.(c) <- !next;
    for b = 0 to blocks - 1 do
      let count = places.(b).(c) in
      places.(b).(c) <- !next;
      next := !next + count
    done
  done;
  let order = Array.make n 0 in
  for_all blocks (fun b ->
      let places = places.(b) in
      for i = b * block to min n ((b + 1) * block) - 1 do
        let c = Array.unsafe_get class_of i in
        let place = Array.unsafe_get places c in
        Array.unsafe_set order place (first + i);
        Array.unsafe_set places c (place + 1)
      done);
  { order; starts }
