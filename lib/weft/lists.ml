(* Within this module, [List] and [Array] are OCaml's. *)

let who name = "Weft.List." ^ name

(* --- results put together --- *)

(* The range 0 to [n - 1] in parts that depend on [n] alone: [part first last] (included) for each, in order. *)
let in_parts name n empty part =
  let size = Grain.leaves_of_tree n in
  let count = (n + size - 1) / size in
  let parts = Array.make count empty in
  Loop.blocks ~who:(who name) ~start:0 ~finish:(count - 1) (fun first last ->
      for k = first to last do
        parts.(k) <- part (k * size) (min n ((k + 1) * size) - 1)
      done);
  parts

(* [add i rest] puts what element [i] gives before [rest], youngest first. *)
let collect name n add =
  let part first last =
    let rec from i found = if i > last then found else from (i + 1) (add i found) in
    from first []
  in
  Array.fold_right List.rev_append (in_parts name n [] part) []

let init n f =
  if n < 0 then invalid_arg (Printf.sprintf "%s: negative length %d" (who "init") n);
  collect "init" n (fun i found -> f i :: found)

let over name l add =
  let a = Array.of_list l in
  collect name (Array.length a) (fun i found -> add i (Array.unsafe_get a i) found)

let map f l = over "map" l (fun _ x found -> f x :: found)
let mapi f l = over "mapi" l (fun i x found -> f i x :: found)
let filter p l = over "filter" l (fun _ x found -> if p x then x :: found else found)
let concat_map f l = over "concat_map" l (fun _ x found -> List.rev_append (f x) found)

let filter_map f l =
  over "filter_map" l (fun _ x found -> match f x with None -> found | Some y -> y :: found)

let map2 f l m =
  let a = Array.of_list l and b = Array.of_list m in
  let n = Array.length a in
  if n <> Array.length b then
    invalid_arg (Printf.sprintf "%s: lists of lengths %d and %d" (who "map2") n (Array.length b));
  collect "map2" n (fun i found -> f (Array.unsafe_get a i) (Array.unsafe_get b i) :: found)

let partition p l =
  let a = Array.of_list l in
  let part first last =
    let rec from i yes no =
      if i > last then (yes, no)
      else
        let x = Array.unsafe_get a i in
        if p x then from (i + 1) (x :: yes) no else from (i + 1) yes (x :: no)
    in
    from first [] []
  in
  Array.fold_right
    (fun (yes, no) (all_yes, all_no) -> (List.rev_append yes all_yes, List.rev_append no all_no))
    (in_parts "partition" (Array.length a) ([], []) part)
    ([], [])

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
  Tree.reduce ~who:(who name) ~start:0 ~finish:(Array.length a - 1) ~fold:(fun i j -> fold a i j) combine

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
