(* [f k first last] for each piece of the range, on some rank; its first cell is [k]. *)
let spread w ~leaf start finish f give =
  let cells = Cut.cells (Cut.tree ~ranks:(World.size w) ~leaf start finish) in
  let piece i j = f i (fst cells.(i)) (snd cells.(j)) in
  Spread.run w ~cells:(Array.length cells) piece give

(* --- loops --- *)

let parallel_for w ~start ~finish ~body () =
  World.exclusive ~who:"Weft_mpi.parallel_for" w @@ fun () ->
  if World.size w = 1 then Weft.parallel_for ~start ~finish ~body ()
  else if start <= finish then begin
    let run _ start finish = Weft.parallel_for ~start ~finish ~body () in
    ignore (Spread.get (spread w ~leaf:1 start finish run ignore) : unit array)
  end

(* --- reductions --- *)

(* Adds [x] to a list that both fibers of a rank add to. *)
let rec add_to list x =
  let before = Atomic.get list in
  if not (Atomic.compare_and_set list before (x :: before)) then add_to list x

let table nodes =
  let t = Hashtbl.create 64 in
  List.iter (fun (node, v) -> Hashtbl.replace t node v) nodes;
  t

(* The nodes that this rank has whole, with their values; the greatest ones alone. *)
let own_nodes combine computed cut =
  let rec collect nodes part =
    let (Cut.Cell { first; last; _ } | Node { first; last; _ }) = part in
    match (Hashtbl.find_opt computed (first, last), part) with
    | (Some _ as v), _ -> (v, nodes)
    | None, Cell _ -> (None, nodes)
    | None, Node n -> (
        let left, nodes = collect nodes n.left in
        let right, nodes = collect nodes n.right in
        match (left, right) with
        | Some a, Some b -> (Some (combine a b), nodes)
        | _ -> (None, keep right n.right (keep left n.left nodes)))
  and keep value part nodes =
    match (value, part) with
    | None, _ -> nodes
    | Some v, (Cut.Cell { first; last; _ } | Node { first; last; _ }) -> ((first, last), v) :: nodes
  in
  let whole, nodes = collect [] cut in
  keep whole cut nodes

let assemble combine cut given =
  let all = table (List.concat (Array.to_list given)) in
  let rec value part =
    let (Cut.Cell { first; last; _ } | Node { first; last; _ }) = part in
    match (Hashtbl.find_opt all (first, last), part) with
    | Some v, _ -> v
    | None, Node n ->
        let a = value n.left in
        combine a (value n.right)
    | None, Cell _ -> invalid_arg "Weft_mpi: internal error: a cell that nobody has computed"
  in
  value cut

let reduce ~who ~leaf w ~start ~finish ~body combine init =
  let cut = Cut.tree ~ranks:(World.size w) ~leaf start finish in
  let cells = Array.length (Cut.cells cut) in
  let computed = Atomic.make [] in
  let compute (start, finish) =
    let v =
      Reduce.reduce ~chunk_size:leaf ~element:body ~who ~start ~finish
        ~fold:(Reduce.fold_elements body combine) combine
    in
    add_to computed ((start, finish), v)
  in
  let piece i j = List.iter compute (Cut.within cut i j) in
  let give () = own_nodes combine (table (Atomic.get computed)) cut in
  let given = Spread.get (Spread.run w ~cells piece give) in
  Exchanges.together w (fun () -> combine init (assemble combine cut given))

let parallel_for_reduce ?chunk_size w ~start ~finish ~body combine init =
  let who = "Weft_mpi.parallel_for_reduce" in
  World.exclusive ~who w @@ fun () ->
  Grain.check_chunk_size who chunk_size;
  if World.size w = 1 then Weft.parallel_for_reduce ?chunk_size ~start ~finish ~body combine init
  else if start > finish then init
  else
    let leaf = Cut.leaf_of_reduction chunk_size start finish in
    reduce ~who ~leaf w ~start ~finish ~body combine init

(* --- searches --- *)

type 'a found = Nowhere | In of int * 'a

let first_of a b =
  match (a, b) with
  | Nowhere, other | other, Nowhere -> other
  | In (i, _), In (j, _) -> if i <= j then a else b

let find w ~start ~finish ~body =
  let found = Atomic.make Nowhere in
  let rec note answer =
    let before = Atomic.get found in
    if not (Atomic.compare_and_set found before (first_of before answer)) then note answer
  in
  let run k start finish =
    match Weft.parallel_find_first ~start ~finish ~body () with
    | None -> ()
    | Some v ->
        note (In (k, v));
        raise_notrace Spread.Enough
  in
  let result = spread w ~leaf:1 start finish run (fun () -> Atomic.get found) in
  match (Array.fold_left first_of Nowhere result.given, result.failure) with
  | In (k, v), Some failure when k < Failures.at failure -> Some v
  | _, Some failure -> Failures.reraise failure
  | In (_, v), None -> Some v
  | Nowhere, None -> None

let parallel_find_first w ~start ~finish ~body () =
  World.exclusive ~who:"Weft_mpi.parallel_find_first" w @@ fun () ->
  if World.size w = 1 then Weft.parallel_find_first ~start ~finish ~body ()
  else if start > finish then None
  else find w ~start ~finish ~body

(* --- arrays --- *)

(* What [f first last] is for each piece, from left to right; on all ranks. *)
let of_pieces w n f =
  let parts = Atomic.make [] in
  let run k first last = add_to parts (k, f first last) in
  let result = spread w ~leaf:1 0 (n - 1) run (fun () -> Atomic.get parts) in
  let parts = List.concat (Array.to_list (Spread.get result)) in
  List.map snd (List.sort (fun (i, _) (j, _) -> Int.compare i j) parts)

let init_inside w n f =
  if World.size w = 1 || n <= 0 then Weft.Array.init n f
  else
    Array.concat
      (of_pieces w n (fun first last -> Weft.Array.init (last - first + 1) (fun i -> f (first + i))))

let init ~who w n f = World.exclusive ~who w (fun () -> init_inside w n f)
