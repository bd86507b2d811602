(* --- where an element is --- *)

(* The first [n] elements of those that [iterate] pushes, at least one. The exception is a new one each time:
   another step's passes. *)
let push_first n iterate push =
  let exception Enough in
  let left = ref n in
  let push x =
    decr left;
    push x;
    if !left = 0 then raise_notrace Enough
  in
  try iterate push with Enough -> ()

let push_others n iterate push =
  let left = ref n in
  iterate (fun x -> if !left > 0 then decr left else push x)

(* How many elements these positions have, or [limit] if they have as many or more. *)
let count_up_to limit (p : _ Source.pass) first last =
  let n = ref 0 in
  push_first limit (Source.iterate_long p first last) (fun _ -> incr n);
  !n

(* The last position with at most [n] elements before it. *)
let search_offset offset positions n =
  let rec between low high =
    if high - low <= 1 then low
    else
      let middle = low + ((high - low) / 2) in
      if offset middle <= n then between middle high else between low middle
  in
  between 0 positions

(* From [first] on, where [left] more elements come before the one that is wanted. It is at [last] at the
   latest; and if the steps give fewer elements than they did before, the search must end there, too. *)
let rec search_one_by_one p limit first last left =
  if first = last then (first, left)
  else
    let here = count_up_to limit p first first in
    if here > left then (first, left) else search_one_by_one p limit (first + 1) last (left - here)

(* Nobody knows how many elements the positions have. They are counted in rounds, each twice as long as the one
   before: so those far behind the wanted element are not run. *)
let rec search_in_rounds ~who (p : _ Source.pass) limit ~start ~size left =
  if start >= p.positions then None
  else begin
    let size = Int.min size (p.positions - start) in
    let block = Grain.scan_block size in
    let first k = start + (k * block) and last k = start + Int.min size ((k + 1) * block) - 1 in
    let counts = Array.make ((size + block - 1) / block) 0 in
    Loop.blocks ~who ~start:0
      ~finish:(Array.length counts - 1)
      (fun i j ->
        for k = i to j do
          counts.(k) <- count_up_to limit p (first k) (last k)
        done);
    let rec among k left =
      if k = Array.length counts then
        search_in_rounds ~who p limit ~start:(start + size) ~size:(2 * size) left
      else if counts.(k) > left then Some (search_one_by_one p limit (first k) (last k) left)
      else among (k + 1) (left - counts.(k))
    in
    among 0 left
  end

let first_round = 32

(* Of element [n]: its position, and how many elements of that position come before it. [None] if there are no
   more than [n] elements. *)
let locate ~who (p : _ Source.pass) n =
  match p.offset with
  | Some offset ->
      if offset p.positions <= n then None
      else
        let at = search_offset offset p.positions n in
        Some (at, n - offset at)
  | None ->
      let limit = if n = max_int then n else n + 1 in
      search_in_rounds ~who p limit ~start:0 ~size:first_round n

(* --- the first elements, and the others --- *)

let check_count who n = if n < 0 then invalid_arg (Printf.sprintf "%s: negative count %d" who n)

let first_elements ~who n (p : _ Source.pass) =
  match locate ~who p n with
  | None -> p
  | Some (at, inside) ->
      let iterate first last push =
        if last < at then p.iterate first last push
        else begin
          if first < at then p.iterate first (at - 1) push;
          push_first inside (p.iterate at at) push
        end
      in
      let offset = Option.map (fun offset position -> Int.min n (offset position)) p.offset in
      { p with positions = (if inside = 0 then at else at + 1); offset; iterate }

let take ~who n (s : _ Source.t) : _ Source.t =
  check_count who n;
  if n = 0 then Seq_sources.empty
  else
    {
      known = Option.map (Int.min n) s.known;
      each = push_first n s.each;
      pass = (fun k -> s.pass (fun p -> k (first_elements ~who n p)));
      halves = None;
    }

(* Position 0 is what is left of the position [at]. *)
let other_elements ~who n (p : _ Source.pass) =
  match locate ~who p n with
  | None -> Source.numbered_by 0 (fun _ -> assert false)
  | Some (at, inside) ->
      let iterate first last push =
        if first > 0 then p.iterate (at + first) (at + last) push
        else begin
          push_others inside (p.iterate at at) push;
          if last > 0 then p.iterate (at + 1) (at + last) push
        end
      in
      {
        Source.positions = p.positions - at;
        offset = Option.map (fun offset position -> Int.max 0 (offset (at + position) - n)) p.offset;
        get = Option.map (fun get i -> get (at + i)) p.get;
        iterate;
      }

let drop ~who n (s : _ Source.t) : _ Source.t =
  check_count who n;
  if n = 0 then s
  else
    {
      known = Option.map (fun length -> Int.max 0 (length - n)) s.known;
      each = push_others n s.each;
      pass = (fun k -> s.pass (fun p -> k (other_elements ~who n p)));
      halves = None;
    }

(* --- elements by their numbers --- *)

(* Collects in rounds, as above, until there are [n] elements or more. *)
let collect_first ~who n (p : _ Source.pass) =
  let round start size =
    let iterate first last push = push_first n (p.iterate (start + first) (start + last)) push in
    Collecting.to_array ~who { Source.positions = size; offset = None; get = None; iterate }
  in
  let rec rounds start size found parts =
    if start >= p.positions || found >= n then Array_copy.concat (List.rev parts)
    else
      let size = Int.min size (p.positions - start) in
      let part = round start size in
      rounds (start + size) (2 * size) (found + Array.length part) (part :: parts)
  in
  if n = 0 then [||] else rounds 0 first_round 0 []

let by_number ?at_most ~who (p : _ Source.pass) k =
  if Option.is_some p.get then k p
  else
    let elements =
      match (at_most, p.offset) with
      | None, _ -> Collecting.to_array ~who p
      | Some n, Some _ -> Collecting.to_array ~who (first_elements ~who n p)
      | Some n, None -> collect_first ~who n p
    in
    k (Seq_sources.pass_of_array elements)

let element (p : _ Source.pass) = Option.get p.get

(* The sequence that [make] makes of the numbered elements of [s]. *)
let of_numbered ~who known make (s : _ Source.t) : _ Source.t =
  let pass k = s.pass (fun p -> by_number ~who p (fun p -> k (make p))) in
  {
    known = Option.map known s.known;
    each = (fun push -> pass (fun p -> Source.iterate_all p push));
    pass;
    halves = None;
  }

let rev ~who s =
  let make (p : _ Source.pass) =
    let get = element p and last = p.positions - 1 in
    Source.numbered_by p.positions (fun i -> get (last - i))
  in
  of_numbered ~who Fun.id make s

let check_size who what n =
  if n < 1 then invalid_arg (Printf.sprintf "%s: %s must be at least 1, not %d" who what n)

let divided_up n size = (n / size) + Bool.to_int (n mod size > 0)

let step_by ~who step s =
  check_size who "step" step;
  let count n = divided_up n step in
  of_numbered ~who count
    (fun p ->
      let get = element p in
      Source.numbered_by (count p.positions) (fun i -> get (i * step)))
    s

let part who get first length =
  Bounds.length who length;
  Array.init length (fun i -> get (first + i))

let chunks ~who size s =
  check_size who "size" size;
  let count n = divided_up n size in
  of_numbered ~who count
    (fun p ->
      let get = element p and n = p.positions in
      Source.numbered_by (count n) (fun k -> part who get (k * size) (Int.min size (n - (k * size)))))
    s

let windows ~who size s =
  check_size who "size" size;
  let count n = Int.max 0 (n - size + 1) in
  of_numbered ~who count
    (fun p ->
      let get = element p in
      Source.numbered_by (count p.positions) (fun i -> part who get i size))
    s

(* --- two sequences --- *)

let map2 ~who f (a : _ Source.t) (b : _ Source.t) : _ Source.t =
  let join (p : _ Source.pass) (q : _ Source.pass) =
    let x = element p and y = element q in
    Source.numbered_by (Int.min p.positions q.positions) (fun i -> f (x i) (y i))
  in
  (* The length of a sequence that need not be collected. *)
  let length (p : _ Source.pass) = Option.map (fun _ -> p.positions) p.get in
  let pass k =
    a.pass (fun p ->
        b.pass (fun q ->
            by_number ?at_most:(length q) ~who p (fun p ->
                by_number ~at_most:p.positions ~who q (fun q -> k (join p q)))))
  in
  {
    known = (match (a.known, b.known) with Some n, Some m -> Some (Int.min n m) | _ -> None);
    each = (fun push -> pass (fun p -> Source.iterate_all p push));
    pass;
    halves = None;
  }
