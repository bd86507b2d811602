(* $MDX part-begin=book *)
type points = { xs : float array; ys : float array }

(* How far point [i] is to the left of the line from point [a] to point [b]. *)
let[@inline] distance { xs; ys } a b i =
  ((xs.(b) -. xs.(a)) *. (ys.(i) -. ys.(a))) -. ((ys.(b) -. ys.(a)) *. (xs.(i) -. xs.(a)))

let quickhull points =
  let left_of a b = Weft.Array.filter (fun i -> distance points a b i > 0.) in
  let farther a b i j = Float.compare (distance points a b i) (distance points a b j) in
  (* The hull between [a] and [b], if the points in [s] are to the left of that line. *)
  let rec between a b s =
    if s = [||] then [||]
    else
      let c = Weft.Array.max (farther a b) s in
      let first, second =
        Weft.par (fun () -> between a c (left_of a c s)) (fun () -> between c b (left_of c b s))
      in
      Weft.Array.concat [ first; [| c |]; second ]
  in
  let by_x i j = Float.compare points.xs.(i) points.xs.(j) in
  let all = Weft.Array.init (Array.length points.xs) Fun.id in
  let a, b = Weft.Array.minmax by_x all in
  let upper, lower =
    Weft.par (fun () -> between a b (left_of a b all)) (fun () -> between b a (left_of b a all))
  in
  Weft.Array.concat [ [| a |]; upper; [| b |]; lower ]
(* $MDX part-end *)

(* {1 Sequential} *)

(* The leftmost point and the rightmost. *)
let extremes (xs : float array) =
  let a = ref 0 and b = ref 0 in
  for i = 1 to Array.length xs - 1 do
    if xs.(i) < xs.(!a) then a := i;
    if xs.(i) > xs.(!b) then b := i
  done;
  (!a, !b)

let sequential points =
  let left_of a b = Plain_arrays.filter (fun i -> distance points a b i > 0.) in
  let rec between a b s =
    if s = [||] then [||]
    else begin
      let c = ref s.(0) and greatest = ref (distance points a b s.(0)) in
      for k = 1 to Array.length s - 1 do
        let d = distance points a b s.(k) in
        if d > !greatest then begin
          greatest := d;
          c := s.(k)
        end
      done;
      let c = !c in
      let first = between a c (left_of a c s) in
      Array.concat [ first; [| c |]; between c b (left_of c b s) ]
    end
  in
  let a, b = extremes points.xs in
  let all = Array.init (Array.length points.xs) Fun.id in
  let upper = between a b (left_of a b all) in
  Array.concat [ [| a |]; upper; [| b |]; between b a (left_of b a all) ]

(* In one array of points: those that are still to be looked at are at its start. The farthest point is found on
   the way. *)
let best_sequential ({ xs; _ } as points) =
  let n = Array.length xs in
  let order = Array.init n Fun.id in
  (* Moves those to the left of the line from [a] to [b], from index [s] to [e - 1], to the start: where they
     end, and the farthest. *)
  let split a b s e =
    let next = ref s and farthest = ref (-1) and greatest = ref 0. in
    for k = s to e - 1 do
      let i = order.(k) in
      let d = distance points a b i in
      if d > 0. then begin
        if d > !greatest then begin
          greatest := d;
          farthest := i
        end;
        order.(k) <- order.(!next);
        order.(!next) <- i;
        incr next
      end
    done;
    (!next, !farthest)
  in
  let hull = ref [] in
  let rec between a b c s e =
    if s < e then begin
      let m, first = split a c s e in
      let e, second = split c b m e in
      between a c first s m;
      hull := c :: !hull;
      between c b second m e
    end
  in
  let a, b = extremes xs in
  let side a b s =
    let e, c = split a b s n in
    hull := a :: !hull;
    between a b c s e;
    e
  in
  ignore (side b a (side a b 0) : int);
  Array.of_list (List.rev !hull)

(* {1 By hand} *)

let block = 8_192

(* Blocks are filtered in parallel, and each finds its farthest point on the way. *)
let by_hand ({ xs; _ } as points) =
  let split a b s =
    let n = Array.length s in
    let blocks = Int.max 1 ((n + block - 1) / block) in
    let kept = Array.make blocks [||] and farthest = Array.make blocks (-1) in
    let split_block k =
      let from = k * n / blocks and till = (k + 1) * n / blocks in
      let left = Array.make (till - from) 0 and next = ref 0 and greatest = ref 0. in
      for m = from to till - 1 do
        let i = s.(m) in
        let d = distance points a b i in
        if d > 0. then begin
          if d > !greatest then begin
            greatest := d;
            farthest.(k) <- i
          end;
          left.(!next) <- i;
          incr next
        end
      done;
      kept.(k) <- Array.sub left 0 !next
    in
    if blocks = 1 then split_block 0
    else Weft.parallel_for ~chunk_size:1 ~start:0 ~finish:(blocks - 1) ~body:split_block ();
    let farther c i = if c < 0 || (i >= 0 && distance points a b i > distance points a b c) then i else c in
    ((if blocks = 1 then kept.(0) else Weft.Array.flatten kept), Array.fold_left farther (-1) farthest)
  in
  let rec between a b (s, c) =
    if c < 0 then [||]
    else
      let first, second =
        Textbook.both ~cutoff:1_000 (Array.length s)
          (fun () -> between a c (split a c s))
          (fun () -> between c b (split c b s))
      in
      Array.concat [ first; [| c |]; second ]
  in
  let extreme better =
    Weft.parallel_for_reduce ~start:0
      ~finish:(Array.length xs - 1)
      ~body:Fun.id
      (fun i j -> if better xs.(j) xs.(i) then j else i)
      0
  in
  let a = extreme (fun (x : float) y -> x < y) and b = extreme (fun (x : float) y -> x > y) in
  let all = Weft.Array.init (Array.length xs) Fun.id in
  let upper, lower =
    Weft.par (fun () -> between a b (split a b all)) (fun () -> between b a (split b a all))
  in
  Array.concat [ [| a |]; upper; [| b |]; lower ]

(* In a disc. *)
let points size =
  let radius = Inputs.floats size and angle = Inputs.floats ~seed:1 size in
  let at f i = sqrt radius.(i) *. f (2. *. Float.pi *. angle.(i)) in
  { xs = Array.init size (at cos); ys = Array.init size (at sin) }

let benchmark =
  Textbook.benchmark ~name:"quickhull" ~doc:"the convex hull of points in a disc" ~sizes:(2, 100_000_000)
    ~size_doc:"the number of points" ~size:2_000_000 ~quick:50_000 ~input:points ~digest:Same_result.ints
    { best_sequential; sequential; book = quickhull; by_hand }
