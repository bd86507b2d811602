(* $MDX part-begin=book *)
(* Edge [e] joins the nodes [from.(e)] and [to_.(e)]; all weights are different. *)
type graph = { nodes : int; from : int array; to_ : int array; weight : int array }

let none = -1

(* The weight of a minimum spanning forest. *)
let boruvka { nodes; from; to_; weight } =
  (* The root of a node's tree is the name of its component. *)
  let parent = Weft.Array.init nodes Fun.id in
  let rec root u = if parent.(u) = u then u else root parent.(u) in
  let lightest = Weft.Atomic_array.make nodes none in
  let lighter e f = f = none || weight.(e) < weight.(f) in
  let offer e u = ignore (Weft.Atomic_array.priority_update ~better:lighter lightest parent.(u) e : bool) in
  let chosen = Weft.Atomic_array.get lightest in
  let other_end r = parent.(from.(chosen r)) + parent.(to_.(chosen r)) - r in
  (* Of two components that choose the same edge, the one with the smaller root stays. *)
  let joins r = chosen r <> none && not (chosen (other_end r) = chosen r && r < other_end r) in
  let rec rounds edges roots total =
    if edges = [||] then total
    else begin
      Weft.Array.iter
        (fun e ->
          offer e from.(e);
          offer e to_.(e))
        edges;
      let joining = Weft.Array.filter joins roots in
      let others = Weft.Array.map other_end joining in
      let total = Weft.Array.map_reduce (fun r -> weight.(chosen r)) ( + ) total joining in
      Weft.Array.iter2 (fun r other -> parent.(r) <- other) joining others;
      Weft.Array.mapi_inplace (fun u _ -> root u) parent;
      Weft.Array.iter (fun r -> Weft.Atomic_array.set lightest r none) roots;
      rounds
        (Weft.Array.filter (fun e -> parent.(from.(e)) <> parent.(to_.(e))) edges)
        (Weft.Array.filter (fun r -> parent.(r) = r) roots)
        total
    end
  in
  let all = Weft.Array.init (Array.length weight) Fun.id in
  rounds (Weft.Array.filter (fun e -> from.(e) <> to_.(e)) all) (Weft.Array.init nodes Fun.id) 0
(* $MDX part-end *)

(* {1 Sequential} *)

let sequential { nodes; from; to_; weight } =
  let parent = Array.init nodes Fun.id in
  let rec root u = if parent.(u) = u then u else root parent.(u) in
  let lightest = Array.make nodes none in
  let offer e u =
    let f = lightest.(parent.(u)) in
    if f = none || weight.(e) < weight.(f) then lightest.(parent.(u)) <- e
  in
  let other_end r = parent.(from.(lightest.(r))) + parent.(to_.(lightest.(r))) - r in
  let joins r = lightest.(r) <> none && not (lightest.(other_end r) = lightest.(r) && r < other_end r) in
  let rec rounds edges roots total =
    if edges = [||] then total
    else begin
      for k = 0 to Array.length edges - 1 do
        let e = edges.(k) in
        offer e from.(e);
        offer e to_.(e)
      done;
      let joining = Plain_arrays.filter joins roots in
      let others = Array.map other_end joining and total = ref total in
      for k = 0 to Array.length joining - 1 do
        let r = joining.(k) in
        total := !total + weight.(lightest.(r));
        parent.(r) <- others.(k)
      done;
      for u = 0 to nodes - 1 do
        parent.(u) <- root u
      done;
      for k = 0 to Array.length roots - 1 do
        lightest.(roots.(k)) <- none
      done;
      rounds
        (Plain_arrays.filter (fun e -> parent.(from.(e)) <> parent.(to_.(e))) edges)
        (Plain_arrays.filter (fun r -> parent.(r) = r) roots)
        !total
    end
  in
  let all = Array.init (Array.length weight) Fun.id in
  rounds (Plain_arrays.filter (fun e -> from.(e) <> to_.(e)) all) (Array.init nodes Fun.id) 0

(* Kruskal: edges in the order of their weights, and components in a forest whose paths are halved. Weight and
   edge are sorted as one integer. *)
let kruskal sort { nodes; from; to_; weight } =
  let bits = 30 in
  let keys = Array.make (Array.length weight) 0 in
  for e = 0 to Array.length weight - 1 do
    keys.(e) <- (weight.(e) lsl bits) lor e
  done;
  sort keys 0 (Array.length keys - 1);
  let parent = Array.init nodes Fun.id in
  let rec root u =
    let p = parent.(u) in
    if p = u then u
    else begin
      parent.(u) <- parent.(p);
      root parent.(p)
    end
  in
  let rec take k left total =
    if k = Array.length keys || left = 0 then total
    else
      let e = keys.(k) land ((1 lsl bits) - 1) in
      let a = root from.(e) and b = root to_.(e) in
      if a = b then take (k + 1) left total
      else begin
        parent.(Int.max a b) <- Int.min a b;
        take (k + 1) (left - 1) (total + weight.(e))
      end
  in
  take 0 (nodes - 1) 0

let graph nodes =
  let edges = 5 * nodes in
  {
    nodes;
    from = Inputs.integers ~bound:(Int.max 1 nodes) edges;
    to_ = Inputs.integers ~bound:(Int.max 1 nodes) ~seed:1 edges;
    weight = Weft.Random.permutation (Weft.Random.make nodes) edges;
  }

let benchmark =
  Textbook.benchmark ~name:"boruvka" ~doc:"a minimum spanning forest of a random graph"
    ~size_doc:"the number of nodes; five edges for each" ~size:300_000 ~quick:10_000 ~input:graph
    ~digest:Fun.id
    {
      best_sequential = kruskal Quicksort.best_sequential;
      sequential;
      book = boruvka;
      by_hand = kruskal Quicksort.by_hand;
    }
