module Numbers = Weft_batch.Avl.Make (Int)

(* A structure of your own: you write only what single operations mean. *)
module Extent = struct
  type t = { mutable least : int; mutable greatest : int }
  type _ op = Take : int -> unit op | Get : (int * int) op
  type packed = Op : 'a op * 'a Weft_batch.Cell.t -> packed

  let apply (type a) t : a op -> a = function
    | Take n ->
        t.least <- min t.least n;
        t.greatest <- max t.greatest n
    | Get -> (t.least, t.greatest)

  let run = None
end

module Extents = Weft_batch.Make (Extent)

let () =
  (* Any task may call it; calls that meet become one batch, which runs in parallel. *)
  let squares = Numbers.create () in
  Weft.parallel_for ~start:1 ~finish:10_000 ~body:(fun i -> Numbers.add squares (i * i) i) ();
  Numbers.add_all squares (Array.init 100 (fun i -> (-i, 0)));
  Printf.printf "%d bindings, after 2 comes %d\n" (Numbers.length squares)
    (fst (Option.get (Numbers.succ squares 2)));
  (* A snapshot does not show later changes. *)
  let now = Numbers.snapshot squares in
  ignore (Numbers.remove squares 4 : bool);
  Printf.printf "4 is %sbound, and was then: %b\n"
    (if Numbers.mem squares 4 then "" else "not ")
    (Numbers.Sequential.Tree.mem now 4);
  let extent = Extents.create { least = max_int; greatest = min_int } in
  Weft.parallel_for ~start:(-50) ~finish:70 ~body:(fun i -> Extents.exec extent (Take (i * i))) ();
  let least, greatest = Extents.exec extent Get in
  Printf.printf "from %d to %d\n" least greatest
