(* Within this module, [List] and [Array] are OCaml's. *)

let who name = "Weft.List." ^ name

(* --- many results --- *)

let results name n f =
  Results.by_blocks ~who:(who name) ~length:n f (fun r first last ->
      for i = first to last do
        Array.unsafe_set r i (f i)
      done)

let init n f =
  Bounds.length (who "init") n;
  Array.to_list (results "init" n f)

(* The results of [f] for the elements of [l], in an array. *)
let over name l f =
  let a = Array.of_list l in
  results name (Array.length a) (fun i -> f i (Array.unsafe_get a i))

let map f l = Array.to_list (over "map" l (fun _ x -> f x))
let mapi f l = Array.to_list (over "mapi" l f)
let keep answers l = List.filteri (fun i _ -> Array.unsafe_get answers i) l
let filter p l = keep (over "filter" l (fun _ x -> p x)) l
let concat_map f l = Array.fold_right List.append (over "concat_map" l (fun _ x -> f x)) []

let filter_map f l =
  let add found rest = match found with None -> rest | Some y -> y :: rest in
  Array.fold_right add (over "filter_map" l (fun _ x -> f x)) []

let map2 f l m =
  let b = Array.of_list m in
  let n = List.length l in
  if n <> Array.length b then
    invalid_arg (Printf.sprintf "%s: lists of lengths %d and %d" (who "map2") n (Array.length b));
  Array.to_list (over "map2" l (fun i x -> f x (Array.unsafe_get b i)))

let partition p l =
  let answers = over "partition" l (fun _ x -> p x) in
  (keep answers l, keep (Array.map not answers) l)

(* --- no results --- *)

let iteri f l =
  let a = Array.of_list l in
  Loop.blocks ~who:(who "iteri") ~start:0
    ~finish:(Array.length a - 1)
    (fun first last ->
      for i = first to last do
        f i (Array.unsafe_get a i)
      done)

let iter f l =
  let a = Array.of_list l in
  Loop.blocks ~who:(who "iter") ~start:0
    ~finish:(Array.length a - 1)
    (fun first last ->
      for i = first to last do
        f (Array.unsafe_get a i)
      done)

(* --- one result --- *)

(* The elements from [first] to [last], folded from the left. *)
let fold_part f init a first last =
  let acc = ref init in
  for i = first to last do
    acc := f !acc (Array.unsafe_get a i)
  done;
  !acc

let tree name combine a fold =
  Reduce.reduce ~who:(who name) ~start:0 ~finish:(Array.length a - 1) ~fold:(fun i j -> fold a i j) combine

let reduce combine init = function
  | [] -> init
  | l ->
      let fold a first last = fold_part combine (Array.unsafe_get a first) a (first + 1) last in
      combine init (tree "reduce" combine (Array.of_list l) fold)

let fold ~combine f init = function
  | [] -> init
  | l -> tree "fold" combine (Array.of_list l) (fold_part f init)

let count p l = fold ~combine:( + ) (fun n x -> if p x then n + 1 else n) 0 l

(* --- searches --- *)

let look f a first last =
  let rec from i =
    if i > last then None
    else match f (Array.unsafe_get a i) with None -> from (i + 1) | Some _ as answer -> answer
  in
  from first

let some name f l =
  let a = Array.of_list l in
  Search.any ~who:(who name) ~start:0 ~finish:(Array.length a - 1) (look f a)

let first name f l =
  let a = Array.of_list l in
  Search.first ~who:(who name) ~start:0 ~finish:(Array.length a - 1) (look f a)

let exists p l = Option.is_some (some "exists" (fun x -> if p x then Some () else None) l)
let for_all p l = Option.is_none (some "for_all" (fun x -> if p x then None else Some ()) l)
let mem x l = Option.is_some (some "mem" (fun y -> if compare y x = 0 then Some () else None) l)
let find_map f l = first "find_map" f l
let find_opt p l = first "find_opt" (fun x -> if p x then Some x else None) l
let find p l = match find_opt p l with Some x -> x | None -> raise Not_found

(* --- sorting --- *)

let sort cmp l =
  let a = Array.of_list l in
  Ordered.sort cmp a;
  Array.to_list a

let stable_sort = sort
let fast_sort = sort
let sort_uniq cmp l = Array.to_list (Ordered.sort_uniq cmp (Array.of_list l))
