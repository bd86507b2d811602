(* Within this module, [List] and [Array] are OCaml's. *)

type 'a t = 'a list = [] | ( :: ) of 'a * 'a list

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
let reversed a = Array.fold_left (fun l y -> y :: l) [] a
let rev_map f l = reversed (over "rev_map" l (fun _ x -> f x))
let keep answers l = List.filteri (fun i _ -> Array.unsafe_get answers i) l
let filter p l = keep (over "filter" l (fun _ x -> p x)) l
let find_all p l = keep (over "find_all" l (fun _ x -> p x)) l
let filteri p l = keep (over "filteri" l p) l
let concat_map f l = Array.fold_right List.append (over "concat_map" l (fun _ x -> f x)) []

let found answers =
  let add found rest = match found with None -> rest | Some y -> y :: rest in
  Array.fold_right add answers []

let filter_map f l = found (over "filter_map" l (fun _ x -> f x))
let filter_mapi f l = found (over "filter_mapi" l f)

let split_map f l =
  let add (x, y) (left, right) = (x :: left, y :: right) in
  Array.fold_right add (over "split_map" l (fun _ x -> f x)) ([], [])

(* Two lists of one length, in arrays. *)
let arrays name l m =
  let a = Array.of_list l and b = Array.of_list m in
  if Array.length a <> Array.length b then
    invalid_arg (Printf.sprintf "%s: lists of lengths %d and %d" (who name) (Array.length a) (Array.length b));
  (a, b)

let over2 name f l m =
  let a, b = arrays name l m in
  results name (Array.length a) (fun i -> f (Array.unsafe_get a i) (Array.unsafe_get b i))

let map2 f l m = Array.to_list (over2 "map2" f l m)
let rev_map2 f l m = reversed (over2 "rev_map2" f l m)

let partition p l =
  let answers = over "partition" l (fun _ x -> p x) in
  (keep answers l, keep (Array.map not answers) l)

let partition_map f l =
  let add found (left, right) =
    match found with Either.Left y -> (y :: left, right) | Either.Right z -> (left, z :: right)
  in
  Array.fold_right add (over "partition_map" l (fun _ x -> f x)) ([], [])

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

let iter2 f l m =
  let a, b = arrays "iter2" l m in
  Loop.blocks ~who:(who "iter2") ~start:0
    ~finish:(Array.length a - 1)
    (fun first last ->
      for i = first to last do
        f (Array.unsafe_get a i) (Array.unsafe_get b i)
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

(* [f i x] is the answer for element [i], which is [x]. *)
let look f a first last =
  let rec from i =
    if i > last then None
    else match f i (Array.unsafe_get a i) with None -> from (i + 1) | Some _ as answer -> answer
  in
  from first

let some_of name f a = Search.any ~who:(who name) ~start:0 ~finish:(Array.length a - 1) (look f a)
let some name f l = some_of name (fun _ x -> f x) (Array.of_list l)

let first name f l =
  let a = Array.of_list l in
  Search.first ~who:(who name) ~start:0 ~finish:(Array.length a - 1) (look f a)

let some2 name f l m =
  let a, b = arrays name l m in
  some_of name (fun i x -> f x (Array.unsafe_get b i)) a

let exists p l = Option.is_some (some "exists" (fun x -> if p x then Some () else None) l)
let for_all p l = Option.is_none (some "for_all" (fun x -> if p x then None else Some ()) l)
let mem x l = Option.is_some (some "mem" (fun y -> if compare y x = 0 then Some () else None) l)
let exists2 p l m = Option.is_some (some2 "exists2" (fun x y -> if p x y then Some () else None) l m)
let for_all2 p l m = Option.is_none (some2 "for_all2" (fun x y -> if p x y then None else Some ()) l m)
let find_map f l = first "find_map" (fun _ x -> f x) l
let find_mapi f l = first "find_mapi" f l
let find_opt p l = first "find_opt" (fun _ x -> if p x then Some x else None) l
let find_index p l = first "find_index" (fun i x -> if p x then Some i else None) l
let find p l = match find_opt p l with Some x -> x | None -> raise Not_found

(* --- sorting --- *)

let sort cmp l =
  let a = Array.of_list l in
  Ordered.sort cmp a;
  Array.to_list a

let stable_sort = sort
let fast_sort = sort
let sort_uniq cmp l = Array.to_list (Ordered.sort_uniq cmp (Array.of_list l))

(* --- the first elements (of OCaml's [List] only since 5.3), and one element (since 5.4) --- *)

let not_negative name n =
  if n < 0 then invalid_arg (Printf.sprintf "%s: negative number of elements %d" (who name) n)

let take n l =
  not_negative "take" n;
  List.of_seq (Seq.take n (List.to_seq l))

let drop n l =
  not_negative "drop" n;
  let rec from n = function [] -> [] | _ :: rest when n > 0 -> from (n - 1) rest | l -> l in
  from n l

let singleton x = [ x ]
let take_while p l = List.of_seq (Seq.take_while p (List.to_seq l))
let rec drop_while p = function x :: rest when p x -> drop_while p rest | l -> l

(* --- sequential: OCaml's own --- *)

let length = List.length
let compare_lengths = List.compare_lengths
let compare_length_with = List.compare_length_with
let is_empty = List.is_empty
let cons = List.cons
let hd = List.hd
let tl = List.tl
let nth = List.nth
let nth_opt = List.nth_opt
let rev = List.rev
let append = List.append
let rev_append = List.rev_append
let concat = List.concat
let flatten = List.flatten
let equal = List.equal
let compare = List.compare
let fold_left = List.fold_left
let fold_right = List.fold_right
let fold_left2 = List.fold_left2
let fold_right2 = List.fold_right2
let fold_left_map = List.fold_left_map
let memq = List.memq
let assoc = List.assoc
let assoc_opt = List.assoc_opt
let assq = List.assq
let assq_opt = List.assq_opt
let mem_assoc = List.mem_assoc
let mem_assq = List.mem_assq
let remove_assoc = List.remove_assoc
let remove_assq = List.remove_assq
let split = List.split
let combine = List.combine
let merge = List.merge
let to_seq = List.to_seq
let of_seq = List.of_seq
