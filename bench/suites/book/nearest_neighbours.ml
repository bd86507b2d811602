(* $MDX part-begin=book *)
type points = { xs : float array; ys : float array }
type tree = Leaf of int array | Node of { axis : int; at : float; low : tree; high : tree }

let coordinates { xs; ys } axis = if axis = 0 then xs else ys

(* The points with these numbers, halved along x and y in turn. *)
let rec tree points axis numbers =
  let n = Array.length numbers in
  if n <= 16 then Leaf numbers
  else begin
    let c = coordinates points axis in
    let order i j = if c.(i) < c.(j) then -1 else if c.(i) > c.(j) then 1 else Int.compare i j in
    let middle = Weft.Array.kth_smallest order (n / 2) numbers in
    let low, high = Weft.Array.partition (fun i -> order i middle < 0) numbers in
    let low, high = Weft.par (fun () -> tree points (1 - axis) low) (fun () -> tree points (1 - axis) high) in
    Node { axis; at = c.(middle); low; high }
  end
(* $MDX part-end *)

let k = 8

(* The nearest of the points other than [i], the nearest first; -1 where there are fewer than [k]. *)
let nearest ({ xs; ys } as points) tree i =
  let distances = Array.make k infinity and found = Array.make k (-1) in
  let x = xs.(i) and y = ys.(i) in
  let look_at j =
    let dx = xs.(j) -. x and dy = ys.(j) -. y in
    let distance = (dx *. dx) +. (dy *. dy) in
    if j <> i && distance < distances.(k - 1) then begin
      let place = ref (k - 1) in
      while !place > 0 && distances.(!place - 1) > distance do
        distances.(!place) <- distances.(!place - 1);
        found.(!place) <- found.(!place - 1);
        decr place
      done;
      distances.(!place) <- distance;
      found.(!place) <- j
    end
  in
  let rec search = function
    | Leaf numbers -> Array.iter look_at numbers
    | Node { axis; at; low; high } ->
        let d = (coordinates points axis).(i) -. at in
        let near, far = if d < 0. then (low, high) else (high, low) in
        search near;
        if d *. d < distances.(k - 1) then search far
  in
  search tree;
  found

(* $MDX part-begin=all *)
let nearest_neighbours points =
  let numbers = Weft.Array.init (Array.length points.xs) Fun.id in
  let tree = tree points 0 numbers in
  Weft.Array.map (nearest points tree) numbers
(* $MDX part-end *)

(* {1 Sequential} *)

let rec plain_tree points axis numbers =
  let n = Array.length numbers in
  if n <= 16 then Leaf numbers
  else begin
    let c = coordinates points axis in
    let numbers = Array.copy numbers in
    Plain_arrays.select c numbers 0 (n - 1) (n / 2);
    let low = plain_tree points (1 - axis) (Array.sub numbers 0 (n / 2)) in
    let high = plain_tree points (1 - axis) (Array.sub numbers (n / 2) (n - (n / 2))) in
    Node { axis; at = c.(numbers.(n / 2)); low; high }
  end

(* In place; the halves of more than [cutoff] points run in parallel. *)
let tree_in_place ~cutoff points =
  let numbers = Array.init (Array.length points.xs) Fun.id in
  let rec build axis lo hi =
    if hi - lo < 16 then Leaf (Array.sub numbers lo (hi - lo + 1))
    else begin
      let c = coordinates points axis in
      let middle = (lo + hi + 1) / 2 in
      Plain_arrays.select c numbers lo hi middle;
      let at = c.(numbers.(middle)) in
      let low, high =
        Textbook.both ~cutoff (hi - lo)
          (fun () -> build (1 - axis) lo (middle - 1))
          (fun () -> build (1 - axis) middle hi)
      in
      Node { axis; at; low; high }
    end
  in
  build 0 0 (Array.length numbers - 1)

let all_plain tree points = Array.init (Array.length points.xs) (nearest points tree)
let sequential points = all_plain (plain_tree points 0 (Array.init (Array.length points.xs) Fun.id)) points
let best_sequential points = all_plain (tree_in_place ~cutoff:max_int points) points

(* {1 By hand} *)

let by_hand points =
  let tree = tree_in_place ~cutoff:2_000 points in
  Weft.Array.init (Array.length points.xs) (nearest points tree)

let benchmark =
  Textbook.benchmark ~name:"nearest_neighbours" ~doc:"the eight nearest neighbours of each point in a square"
    ~size_doc:"the number of points" ~size:200_000 ~quick:10_000
    ~input:(fun size -> { xs = Inputs.floats size; ys = Inputs.floats ~seed:1 size })
    ~digest:(Array.fold_left (fun digest found -> Same_result.add digest (Same_result.ints found)) 0)
    { best_sequential; sequential; book = nearest_neighbours; by_hand }
