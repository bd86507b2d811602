type 'a pass = {
  positions : int;
  offset : (int -> int) option;
  get : (int -> 'a) option;
  iterate : int -> int -> ('a -> unit) -> unit;
}

type 'a t = {
  known : int option;
  each : ('a -> unit) -> unit;
  pass : 'r. ('a pass -> 'r) -> 'r;
  halves : ('a t * 'a t) option;
}

let piece = 256

let rec iterate_long p first last push =
  Current_worker.poll ();
  if last - first < piece then p.iterate first last push
  else begin
    p.iterate first (first + piece - 1) push;
    iterate_long p (first + piece) last push
  end

let iterate_all p push = if p.positions > 0 then iterate_long p 0 (p.positions - 1) push

let of_pass p =
  {
    known = Option.map (fun offset -> offset p.positions) p.offset;
    each = iterate_all p;
    pass = (fun k -> k p);
    halves = None;
  }

let identity (p : int) = p

(* [iterate] is written out where a call of [get] for each element would count. *)
let numbered_by ?iterate positions get =
  let plainly first last push =
    for i = first to last do
      push (get i)
    done
  in
  { positions; offset = Some identity; get = Some get; iterate = Option.value iterate ~default:plainly }

(* --- blocks of positions --- *)

type blocks = { size : int; count : int; of_positions : int }

let blocks p =
  let size = Grain.scan_block p.positions in
  { size; count = (p.positions / size) + Bool.to_int (p.positions mod size > 0); of_positions = p.positions }

let first_of b k = k * b.size
let last_of b k = if k = b.count - 1 then b.of_positions - 1 else ((k + 1) * b.size) - 1

(* Element [k] of [before ~who b ~sum join zero] is [zero] joined with the sums of the blocks below [k]. *)
let before ~who b ~sum join zero =
  let sums = Array.make (max 1 b.count) zero in
  (* Block [k] writes element [k + 1]; nobody needs the sum of the last. *)
  Loop.blocks ~who ~start:0 ~finish:(b.count - 2) (fun first last ->
      for k = first to last do
        sums.(k + 1) <- sum (first_of b k) (last_of b k)
      done);
  for k = 1 to b.count - 1 do
    sums.(k) <- join sums.(k - 1) sums.(k)
  done;
  sums

(* The pass whose positions are the blocks of [p]. [start k push] is the function that the elements of block
   [k] are pushed to. *)
let by_blocks p b ~start =
  {
    positions = b.count;
    offset =
      Option.map (fun offset k -> offset (if k >= b.count then b.of_positions else first_of b k)) p.offset;
    get = None;
    iterate =
      (fun first last push ->
        for k = first to last do
          iterate_long p (first_of b k) (last_of b k) (start k push)
        done);
  }

(* --- scans --- *)

let join combine a b = match (a, b) with None, sum | sum, None -> sum | Some a, Some b -> Some (combine a b)

let sum_of p combine first last =
  let acc = ref None in
  iterate_long p first last (fun x ->
      acc := match !acc with None -> Some x | Some sum -> Some (combine sum x));
  !acc

(* The function that elements are pushed to: [acc] is the sum of the elements to their left. *)
let inclusive combine acc push =
  let acc = ref acc in
  fun x ->
    let sum = match !acc with None -> x | Some before -> combine before x in
    acc := Some sum;
    push sum

let exclusive combine acc push =
  let acc = ref acc in
  fun x ->
    let before = !acc in
    push before;
    acc := combine before x

let scan ~who combine s =
  let ready p k =
    let b = blocks p in
    let before = before ~who b ~sum:(sum_of p combine) (join combine) None in
    k (by_blocks p b ~start:(fun k push -> inclusive combine before.(k) push))
  in
  {
    known = s.known;
    each = (fun push -> s.each (inclusive combine None push));
    pass = (fun k -> s.pass (fun p -> ready p k));
    halves = None;
  }

let scan_exclusive ~who combine init s =
  let ready p k =
    let b = blocks p in
    let before = before ~who b ~sum:(sum_of p combine) (join combine) (Some init) in
    k (by_blocks p b ~start:(fun k push -> exclusive combine (Option.get before.(k)) push))
  in
  {
    known = s.known;
    each = (fun push -> s.each (exclusive combine init push));
    pass = (fun k -> s.pass (fun p -> ready p k));
    halves = None;
  }

(* --- positions of elements --- *)

let numbered f from push =
  let i = ref from in
  fun x ->
    let at = !i in
    i := at + 1;
    push (f at x)

let count_of p first last =
  let n = ref 0 in
  iterate_long p first last (fun _ -> incr n);
  !n

let mapi ~who f s =
  let ready p k =
    match p.offset with
    | Some offset ->
        let iterate first last push = p.iterate first last (numbered f (offset first) push) in
        k { p with get = Option.map (fun get i -> f i (get i)) p.get; iterate }
    | None ->
        let b = blocks p in
        let before = before ~who b ~sum:(count_of p) ( + ) 0 in
        k (by_blocks p b ~start:(fun k push -> numbered f before.(k) push))
  in
  {
    known = s.known;
    each = (fun push -> s.each (numbered f 0 push));
    pass = (fun k -> s.pass (fun p -> ready p k));
    halves = None;
  }
