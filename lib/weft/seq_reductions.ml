let who name = "Weft.Seq." ^ name
let enter (s : _ Source.t) f = if s.known = Some 0 then f () else Current_worker.in_pool f
let consume (s : _ Source.t) use = enter s (fun () -> s.pass use)

(* The value of the tree over the positions; [none] if there are none. *)
let tree name ~none ~leaf combine s =
  consume s (fun p ->
      if p.positions = 0 then none
      else Reduce.reduce ~who:(who name) ~start:0 ~finish:(p.positions - 1) ~fold:(leaf p) combine)

let fold ~combine f init s =
  let leaf (p : _ Source.pass) first last =
    let acc = ref init in
    p.iterate first last (fun x -> acc := f !acc x);
    !acc
  in
  tree "fold" ~none:init ~leaf combine s

let rec note_least least n =
  let was = Atomic.get least in
  if n < was && not (Atomic.compare_and_set least was n) then note_least least n

(* A leaf is skipped when one further left has an error. *)
type ('acc, 'e) part = Done of 'acc | Failed of 'e | Skipped

let both combine a b =
  match (a, b) with Done a, Done b -> Done (combine a b) | Done _, other | other, _ -> other

let try_fold (type e) ~combine (f : _ -> _ -> (_, e) result) init s =
  let exception Stop of e in
  let failed = Atomic.make max_int in
  let leaf (p : _ Source.pass) first last =
    let acc = ref init in
    let push x = match f !acc x with Ok sum -> acc := sum | Error e -> raise_notrace (Stop e) in
    if Atomic.get failed < first then Skipped
    else
      match p.iterate first last push with
      | () -> Done !acc
      | exception Stop e ->
          note_least failed first;
          Failed e
  in
  match tree "try_fold" ~none:(Done init) ~leaf (both combine) s with
  | Done acc -> Ok acc
  | Failed e -> Error e
  | Skipped -> assert false

type 'a accumulator = Nothing | Sum of { mutable value : 'a }

let add combine acc x =
  match !acc with Nothing -> acc := Sum { value = x } | Sum sum -> sum.value <- combine sum.value x

let reduce_all name combine s =
  let leaf (p : _ Source.pass) first last =
    let acc = ref Nothing in
    p.iterate first last (add combine acc);
    match !acc with Nothing -> None | Sum { value } -> Some value
  and both a b = match (a, b) with None, sum | sum, None -> sum | Some a, Some b -> Some (combine a b) in
  tree name ~none:None ~leaf both s

let reduce combine init s =
  match reduce_all "reduce" combine s with None -> init | Some sum -> combine init sum

let min_opt compare s = reduce_all "min_opt" (fun a b -> if compare b a < 0 then b else a) s
let max_opt compare s = reduce_all "max_opt" (fun a b -> if compare b a > 0 then b else a) s

let total amount (p : _ Source.pass) first last =
  let sum = ref 0 in
  p.iterate first last (fun x -> sum := !sum + amount x);
  !sum

type ('k, 'a) best = { mutable key : 'k; mutable element : 'a }

(* The first element whose key is [better] than all before. *)
let best name key better s =
  let leaf (p : _ Source.pass) first last =
    let best = ref None in
    let push x =
      let k = key x in
      match !best with
      | None -> best := Some { key = k; element = x }
      | Some b ->
          if better k b.key then begin
            b.key <- k;
            b.element <- x
          end
    in
    p.iterate first last push;
    !best
  and both a b =
    match (a, b) with
    | None, b -> b
    | a, None -> a
    | Some a', Some b' -> if better b'.key a'.key then b else a
  in
  Option.map (fun b -> b.element) (tree name ~none:None ~leaf both s)

let min_by ~key compare s = best "min_by" key (fun k best -> compare k best < 0) s
let max_by ~key compare s = best "max_by" key (fun k best -> compare k best > 0) s
let sum s = tree "sum" ~none:0 ~leaf:(total (fun n -> n)) ( + ) s
let count f s = tree "count" ~none:0 ~leaf:(total (fun x -> Bool.to_int (f x))) ( + ) s

let length (s : _ Source.t) =
  match s.known with Some n -> n | None -> tree "length" ~none:0 ~leaf:(total (fun _ -> 1)) ( + ) s

let float_sum s =
  let leaf (p : float Source.pass) first last =
    (* In a floatarray, so that partial sums are not boxed. *)
    let sum = Float.Array.make 1 0. in
    p.iterate first last (fun x -> Float.Array.unsafe_set sum 0 (Float.Array.unsafe_get sum 0 +. x));
    Float.Array.get sum 0
  in
  tree "float_sum" ~none:0. ~leaf ( +. ) s
