type vector = { x : float; y : float; z : float }

let[@inline] map2 f a b = { x = f a.x b.x; y = f a.y b.y; z = f a.z b.z }
let[@inline] plus a b = { x = a.x +. b.x; y = a.y +. b.y; z = a.z +. b.z }
let[@inline] minus a b = { x = a.x -. b.x; y = a.y -. b.y; z = a.z -. b.z }
let[@inline] times s a = { x = s *. a.x; y = s *. a.y; z = s *. a.z }
let[@inline] dot a b = (a.x *. b.x) +. (a.y *. b.y) +. (a.z *. b.z)

let[@inline] cross a b =
  { x = (a.y *. b.z) -. (a.z *. b.y); y = (a.z *. b.x) -. (a.x *. b.z); z = (a.x *. b.y) -. (a.y *. b.x) }

let[@inline] least (a : float) b = if a < b then a else b
let[@inline] greatest (a : float) b = if a > b then a else b

(* {1 Boxes and triangles} *)

type triangle = { corner : vector; edge1 : vector; edge2 : vector }
type box = { low : vector; high : vector }
type ray = { origin : vector; direction : vector }

let everything = { x = infinity; y = infinity; z = infinity }
let no_box = { low = everything; high = times (-1.) everything }
let around a b = { low = map2 least a.low b.low; high = map2 greatest a.high b.high }

let box_of { corner; edge1; edge2 } =
  let point p = { low = p; high = p } in
  around (point corner) (around (point (plus corner edge1)) (point (plus corner edge2)))

(* Whether the ray meets the box before it has gone [limit]; [inverse] has one over its direction. *)
let[@inline] meets { low; high } { origin; _ } inverse limit =
  let x1 = (low.x -. origin.x) *. inverse.x and x2 = (high.x -. origin.x) *. inverse.x in
  let y1 = (low.y -. origin.y) *. inverse.y and y2 = (high.y -. origin.y) *. inverse.y in
  let z1 = (low.z -. origin.z) *. inverse.z and z2 = (high.z -. origin.z) *. inverse.z in
  let enters = greatest (greatest (least x1 x2) (least y1 y2)) (greatest (least z1 z2) 0.) in
  let leaves = least (least (greatest x1 x2) (greatest y1 y2)) (least (greatest z1 z2) limit) in
  enters <= leaves

(* How far the ray goes until it meets the triangle (Moeller and Trumbore); infinity if it does not. *)
let[@inline] distance { corner; edge1; edge2 } { origin; direction } =
  let p = cross direction edge2 in
  let determinant = dot edge1 p in
  if Float.abs determinant < 1e-12 then infinity
  else
    let s = minus origin corner and inverse = 1. /. determinant in
    let u = dot s p *. inverse in
    let q = cross s edge1 in
    let v = dot direction q *. inverse in
    let d = dot edge2 q *. inverse in
    if u >= 0. && v >= 0. && u +. v <= 1. && d > 0. then d else infinity

(* {1 The tree} *)

(* $MDX part-begin=book *)
(* Boxes within boxes; the innermost ones have up to four triangles. *)
type tree = Triangles of box * int array | Halves of box * tree * tree

let box = function Triangles (box, _) | Halves (box, _, _) -> box

let innermost triangles numbers =
  Triangles (Array.fold_left (fun box i -> around box (box_of triangles.(i))) no_box numbers, numbers)

(* [centres.(axis).(i)] is where triangle [i] lies. *)
let rec tree triangles centres axis numbers =
  let n = Array.length numbers in
  if n <= 4 then innermost triangles numbers
  else begin
    let c : float array = centres.(axis) and next = (axis + 1) mod 3 in
    let order i j = if c.(i) < c.(j) then -1 else if c.(i) > c.(j) then 1 else Int.compare i j in
    let middle = Weft.Array.kth_smallest order (n / 2) numbers in
    let low, high = Weft.Array.partition (fun i -> order i middle < 0) numbers in
    let low, high =
      Weft.par (fun () -> tree triangles centres next low) (fun () -> tree triangles centres next high)
    in
    Halves (around (box low) (box high), low, high)
  end
(* $MDX part-end *)

(* The triangle that the ray meets first; -1 if it meets none. *)
let cast triangles tree ({ direction; _ } as ray) =
  let nearest = ref infinity and found = ref (-1) in
  let inverse = { x = 1. /. direction.x; y = 1. /. direction.y; z = 1. /. direction.z } in
  let rec search = function
    | Halves (box, low, high) ->
        if meets box ray inverse !nearest then begin
          search low;
          search high
        end
    | Triangles (box, numbers) ->
        if meets box ray inverse !nearest then
          for k = 0 to Array.length numbers - 1 do
            let d = distance triangles.(numbers.(k)) ray in
            if d < !nearest then begin
              nearest := d;
              found := numbers.(k)
            end
          done
  in
  search tree;
  !found

(* $MDX part-begin=all *)
let ray_casting triangles rays =
  let centre axis =
    Weft.Array.map
      (fun { corner; edge1; edge2 } -> axis corner +. ((axis edge1 +. axis edge2) /. 3.))
      triangles
  in
  let centres = [| centre (fun p -> p.x); centre (fun p -> p.y); centre (fun p -> p.z) |] in
  let tree = tree triangles centres 0 (Weft.Array.init (Array.length triangles) Fun.id) in
  Weft.Array.map (cast triangles tree) rays
(* $MDX part-end *)

(* {1 Sequential} *)

let centres triangles =
  let centre axis { corner; edge1; edge2 } = axis corner +. ((axis edge1 +. axis edge2) /. 3.) in
  Array.map
    (fun axis -> Array.map (centre axis) triangles)
    [| (fun p -> p.x); (fun p -> p.y); (fun p -> p.z) |]

let rec plain_tree triangles centres axis numbers =
  let n = Array.length numbers in
  if n <= 4 then innermost triangles numbers
  else begin
    let next = (axis + 1) mod 3 and numbers = Array.copy numbers in
    Plain_arrays.select centres.(axis) numbers 0 (n - 1) (n / 2);
    let low = plain_tree triangles centres next (Array.sub numbers 0 (n / 2)) in
    let high = plain_tree triangles centres next (Array.sub numbers (n / 2) (n - (n / 2))) in
    Halves (around (box low) (box high), low, high)
  end

let sequential triangles rays =
  let all = Array.init (Array.length triangles) Fun.id in
  Array.map (cast triangles (plain_tree triangles (centres triangles) 0 all)) rays

(* In place; the halves of more than [cutoff] triangles run in parallel. *)
let tree_in_place ~cutoff triangles =
  let centres = centres triangles in
  let numbers = Array.init (Array.length triangles) Fun.id in
  let rec build axis lo hi =
    if hi - lo < 4 then innermost triangles (Array.sub numbers lo (hi - lo + 1))
    else begin
      let middle = (lo + hi + 1) / 2 and next = (axis + 1) mod 3 in
      Plain_arrays.select centres.(axis) numbers lo hi middle;
      let low, high =
        Textbook.both ~cutoff (hi - lo)
          (fun () -> build next lo (middle - 1))
          (fun () -> build next middle hi)
      in
      Halves (around (box low) (box high), low, high)
    end
  in
  build 0 0 (Array.length numbers - 1)

let best_sequential triangles rays = Array.map (cast triangles (tree_in_place ~cutoff:max_int triangles)) rays

(* {1 By hand} *)

let by_hand triangles rays = Weft.Array.map (cast triangles (tree_in_place ~cutoff:2_000 triangles)) rays

(* Small triangles in a cube, and rays that come from below. *)
let input size =
  let random = Weft.Random.make size in
  let vector i ~side =
    let at k = side *. Weft.Random.float_at random ((3 * i) + k) 1. in
    { x = at 0; y = at 1; z = at 2 }
  in
  let around_0 i ~side = minus (vector i ~side) (times (side /. 2.) { x = 1.; y = 1.; z = 1. }) in
  let triangles =
    Array.init (size / 6) (fun i ->
        {
          corner = vector (5 * i) ~side:1.;
          edge1 = around_0 ((5 * i) + 1) ~side:0.02;
          edge2 = around_0 ((5 * i) + 2) ~side:0.02;
        })
  in
  let rays =
    Array.init size (fun i ->
        {
          origin = { (vector ((5 * i) + 3) ~side:1.) with z = -1. };
          direction = { (around_0 ((5 * i) + 4) ~side:0.4) with z = 1. };
        })
  in
  (triangles, rays)

let benchmark =
  let on_pair f (triangles, rays) = f triangles rays in
  Textbook.benchmark ~name:"ray_casting" ~doc:"the first triangle that each ray meets, by a tree of boxes"
    ~size_doc:"the number of rays, six for each triangle" ~size:100_000 ~quick:10_000 ~input
    ~digest:Same_result.ints
    {
      best_sequential = on_pair best_sequential;
      sequential = on_pair sequential;
      book = on_pair ray_casting;
      by_hand = on_pair by_hand;
    }
