(* Disjoint sets: a classic that many tasks at once would wreck. Only what one operation means is written down. *)
module Sets = struct
  type t = int array
  type _ op = Join : int * int -> bool op | Same : int * int -> bool op
  type packed = Op : 'a op * 'a Weft_batch.Cell.t -> packed

  let rec root t i =
    if t.(i) = i then i
    else begin
      t.(i) <- root t t.(i);
      t.(i)
    end

  let apply (type a) t : a op -> a = function
    | Same (i, j) -> root t i = root t j
    | Join (i, j) ->
        let i = root t i and j = root t j in
        t.(j) <- i;
        i <> j

  let run = None
end

module Shared = Weft_batch.Make (Sets)

let () =
  let n = 1000 in
  let sets = Shared.create (Array.init n Fun.id) in
  let join i = Bool.to_int (Shared.exec sets (Join (i, i * i mod n))) in
  let joins = Weft.parallel_for_reduce ~start:0 ~finish:(n - 1) ~body:join ( + ) 0 in
  Printf.printf "%d sets are left; 2 and 16 are in one: %b\n" (n - joins) (Shared.exec sets (Same (2, 16)))
