open Inputs

(* $MDX part-begin=book *)
let undecided = 0
let inside = 1
let outside = 2

(* In the order of their numbers, nodes join the set if no neighbour has. *)
let independent_set { nodes; first; neighbours } =
  let states = Array.make nodes undecided and decisions = Array.make nodes undecided in
  (* What becomes of [u], by its neighbours from index [k] on; [decision] is by those before. *)
  let rec decide u k decision =
    if k = first.(u + 1) then decision
    else
      let v = neighbours.(k) in
      if v > u then decide u (k + 1) decision
      else if states.(v) = inside then outside
      else decide u (k + 1) (if states.(v) = undecided then undecided else decision)
  in
  let reserve u =
    decisions.(u) <- decide u first.(u) inside;
    true
  and commit u =
    states.(u) <- decisions.(u);
    states.(u) <> undecided
  in
  Weft.speculative_for ~start:0 ~finish:(nodes - 1) ~reserve ~commit ();
  states
(* $MDX part-end *)

let book = independent_set

(* {1 Sequential} *)

(* The first neighbour that is inside decides; none is undecided here. *)
let sequential { nodes; first; neighbours } =
  let states = Array.make nodes undecided in
  let rec decide u k =
    if k = first.(u + 1) then inside
    else
      let v = neighbours.(k) in
      if v < u && states.(v) = inside then outside else decide u (k + 1)
  in
  for u = 0 to nodes - 1 do
    states.(u) <- decide u first.(u)
  done;
  states

let best_sequential { nodes; first; neighbours } =
  let states = Array.make nodes undecided in
  for u = 0 to nodes - 1 do
    if states.(u) = undecided then begin
      states.(u) <- inside;
      for k = first.(u) to first.(u + 1) - 1 do
        states.(neighbours.(k)) <- outside
      done
    end
  done;
  states

(* {1 By hand} *)

let prefix = 50_000

(* Rounds over the next undecided nodes, in place: a node may see what others decide in the same round. *)
let by_hand { nodes; first; neighbours } =
  let states = Weft.Array.make nodes undecided in
  let rec decide u k decision =
    if k = first.(u + 1) then states.(u) <- decision
    else
      let v = neighbours.(k) in
      if v > u then decide u (k + 1) decision
      else
        let state = states.(v) in
        if state = inside then states.(u) <- outside
        else decide u (k + 1) (if state = undecided then undecided else decision)
  in
  let rec rounds live next =
    let last = Int.min nodes (next + prefix - Array.length live) in
    let live = Array.append live (Array.init (last - next) (fun i -> next + i)) in
    if live <> [||] then begin
      Weft.Array.iter (fun u -> decide u first.(u) inside) live;
      rounds (Weft.Array.filter (fun u -> states.(u) = undecided) live) last
    end
  in
  rounds [||] 0;
  states

let benchmark =
  Textbook.benchmark ~name:"independent_set" ~doc:"a maximal independent set of a random graph"
    ~size_doc:"the number of nodes; half of five edges for each" ~size:2_000_000 ~quick:50_000
    ~input:(fun nodes -> Inputs.graph ~edges:(5 * nodes / 2) nodes)
    ~digest:Same_result.ints
    { best_sequential; sequential; book; by_hand }
