(* Within this module, [Seq], [Array] and [List] are OCaml's. *)

type 'a t = 'a Source.t

let who name = "Weft.Seq." ^ name

(* --- sources --- *)

let identity (p : int) = p

let make positions get =
  let iterate first last push =
    for i = first to last do
      push (get i)
    done
  in
  Source.of_pass { positions; offset = Some identity; iterate }

let empty =
  {
    Source.known = Some 0;
    each = ignore;
    pass = (fun k -> k { positions = 0; offset = Some identity; iterate = (fun _ _ _ -> ()) });
    halves = None;
  }

let return x = make 1 (fun _ -> x)

let init n f =
  if n < 0 then invalid_arg (Printf.sprintf "Weft.Seq.init: negative length %d" n);
  make n f

let of_range start finish =
  let size = finish - start + 1 in
  if finish < start then empty
  else if size <= 0 then
    invalid_arg (Printf.sprintf "Weft.Seq.of_range: more than max_int integers, %d to %d" start finish)
  else make size (fun i -> start + i)

(* The loop is written out: to read an element of an array is too short for a call. *)
let of_array a =
  let iterate first last push =
    for i = first to last do
      push (Array.unsafe_get a i)
    done
  in
  Source.of_pass { positions = Array.length a; offset = Some identity; iterate }

let of_floatarray a = make (Float.Array.length a) (Float.Array.unsafe_get a)
let of_list l = of_array (Array.of_list l)
let of_seq s = of_array (Array.of_seq s)
let lines path = File_lines.source path

(* --- element by element --- *)

(* [stage] takes the [push] of the next step and returns the [push] for [s]. [one_to_one]: it pushes once for
   each element. *)
let through (s : 'a t) ~one_to_one (stage : ('b -> unit) -> 'a -> unit) : 'b t =
  let change (p : _ Source.pass) =
    {
      Source.positions = p.positions;
      offset = (if one_to_one then p.offset else None);
      iterate = (fun first last push -> p.iterate first last (stage push));
    }
  in
  {
    known = (if one_to_one then s.known else None);
    each = (fun push -> s.each (stage push));
    pass = (fun k -> s.pass (fun p -> k (change p)));
    halves = None;
  }

let map f s = through s ~one_to_one:true (fun push x -> push (f x))
let mapi f s = Source.mapi ~who:(who "mapi") f s
let filter f s = through s ~one_to_one:false (fun push x -> if f x then push x)

let filter_map f s =
  through s ~one_to_one:false (fun push x -> match f x with None -> () | Some y -> push y)

let flat_map f s = through s ~one_to_one:false (fun push x -> (f x : _ t).each push)
let scan combine s = Source.scan ~who:(who "scan") combine s
let scan_exclusive combine init s = Source.scan_exclusive ~who:(who "scan_exclusive") combine init s

(* --- one after the other --- *)

let not_too_many who n = if n < 0 then invalid_arg (who ^ ": more than max_int elements") else n

(* All appended parts in one array, however they were nested: so a range of positions is found in O(log
   (parts)). *)
let rec parts (s : _ t) rest = match s.halves with None -> s :: rest | Some (a, b) -> parts a (parts b rest)

let rec passes parts ready k =
  match parts with
  | [] -> k (Array.of_list (List.rev ready))
  | (s : _ t) :: rest -> s.pass (fun p -> passes rest (p :: ready) k)

(* Element [i] is the sum of [amount] over the parts before [i]; the last element is the sum over all. *)
let sums amount parts =
  let sums = Array.make (Array.length parts + 1) 0 in
  Array.iteri (fun i p -> sums.(i + 1) <- not_too_many "Weft.Seq.append" (sums.(i) + amount p)) parts;
  sums

(* The last part that begins at [position] or before. *)
let part_at starts count position =
  let rec between low high =
    if high - low <= 1 then low
    else
      let middle = (low + high) / 2 in
      if starts.(middle) <= position then between middle high else between low middle
  in
  between 0 count

let join (parts : _ Source.pass array) =
  let count = Array.length parts in
  let starts = sums (fun (p : _ Source.pass) -> p.positions) parts in
  let iterate first last push =
    let rec from i =
      if i < count && starts.(i) <= last then begin
        let start = starts.(i) and next = starts.(i + 1) in
        if start < next then parts.(i).iterate (max first start - start) (min last (next - 1) - start) push;
        from (i + 1)
      end
    in
    from (part_at starts count first)
  in
  let offset =
    if Array.exists (fun (p : _ Source.pass) -> Option.is_none p.offset) parts then None
    else
      let of_part (p : _ Source.pass) = Option.get p.offset in
      let before = sums (fun (p : _ Source.pass) -> of_part p p.positions) parts in
      Some
        (fun position ->
          let i = part_at starts count position in
          before.(i) + of_part parts.(i) (position - starts.(i)))
  in
  { Source.positions = starts.(count); offset; iterate }

let append_as who (a : 'a t) (b : 'a t) : 'a t =
  let parts () = parts a (parts b []) in
  {
    known = (match (a.known, b.known) with Some n, Some m -> Some (not_too_many who (n + m)) | _ -> None);
    each = (fun push -> List.iter (fun (s : _ t) -> s.each push) (parts ()));
    pass = (fun k -> passes (parts ()) [] (fun parts -> k (join parts)));
    halves = Some (a, b);
  }

let append a b = append_as "Weft.Seq.append" a b
let concat ss = List.fold_left (append_as "Weft.Seq.concat") empty ss

(* --- consumers --- *)

let consume (s : 'a t) use = Current_worker.in_pool (fun () -> s.pass use)

let iter f s =
  consume s (fun p ->
      Loop.blocks ~who:(who "iter") ~start:0 ~finish:(p.positions - 1) (fun first last ->
          p.iterate first last f))

(* The value of the tree over the positions; [none] if there are none. *)
let tree name ~none ~leaf combine s =
  consume s (fun p ->
      if p.positions = 0 then none
      else Reduce.reduce ~who:(who name) ~start:0 ~finish:(p.positions - 1) ~fold:(leaf p) combine)

let fold f ~combine init s =
  let leaf (p : _ Source.pass) first last =
    let acc = ref init in
    p.iterate first last (fun x -> acc := f !acc x);
    !acc
  in
  tree "fold" ~none:init ~leaf combine s

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

let min compare s = reduce_all "min" (fun a b -> if compare b a < 0 then b else a) s
let max compare s = reduce_all "max" (fun a b -> if compare b a > 0 then b else a) s

let total amount (p : _ Source.pass) first last =
  let sum = ref 0 in
  p.iterate first last (fun x -> sum := !sum + amount x);
  !sum

let sum s = tree "sum" ~none:0 ~leaf:(total identity) ( + ) s
let count f s = tree "count" ~none:0 ~leaf:(total (fun x -> Bool.to_int (f x))) ( + ) s

let length (s : _ t) =
  match s.known with Some n -> n | None -> tree "length" ~none:0 ~leaf:(total (fun _ -> 1)) ( + ) s

let float_sum s =
  let leaf (p : float Source.pass) first last =
    (* In a floatarray, so that partial sums are not boxed. *)
    let sum = Float.Array.make 1 0. in
    p.iterate first last (fun x -> Float.Array.unsafe_set sum 0 (Float.Array.unsafe_get sum 0 +. x));
    Float.Array.get sum 0
  in
  tree "float_sum" ~none:0. ~leaf ( +. ) s

(* --- searches --- *)

let look (p : _ Source.pass) f first last =
  let exception Found in
  let answer = ref None in
  let push x =
    match f x with
    | None -> ()
    | some ->
        answer := some;
        raise_notrace Found
  in
  (try p.iterate first last push with Found -> ());
  !answer

let first_answer name f s =
  consume s (fun p -> Search.first ~who:(who name) ~start:0 ~finish:(p.positions - 1) (look p f))

let some_answer name f s =
  consume s (fun p -> Search.any ~who:(who name) ~start:0 ~finish:(p.positions - 1) (look p f))

let find_map f s = first_answer "find_map" f s
let find f s = first_answer "find" (fun x -> if f x then Some x else None) s
let exists f s = Option.is_some (some_answer "exists" (fun x -> if f x then Some () else None) s)
let for_all f s = Option.is_none (some_answer "for_all" (fun x -> if f x then None else Some ()) s)

(* --- collecting --- *)

(* A length that no array can have is refused before anything runs. *)
let collect name collecting (s : _ t) =
  let who = who name in
  Option.iter (Bounds.length who) s.known;
  consume s (collecting ~who)

let array_by name s = collect name Collecting.to_array s
let to_array s = array_by "to_array" s
let to_floatarray s = collect "to_floatarray" Collecting.to_floatarray s
let to_list s = Array.to_list (array_by "to_list" s)
let to_seq s () = Array.to_seq (array_by "to_seq" s) ()
let force s = of_array (array_by "force" s)

module Private = struct
  let lines ~block path = File_lines.source ~block path

  let watched_array ~note a =
    let s = of_array a in
    let watch (p : _ Source.pass) =
      let offset p =
        note ();
        p
      in
      { p with offset = Some offset }
    in
    { s with pass = (fun k -> s.pass (fun p -> k (watch p))) }

  let elements_before (s : _ t) positions =
    s.pass (fun p -> Option.map (fun offset -> List.map offset positions) p.offset)

  let calls_to_element (s : _ t) position =
    let depth () = Printexc.raw_backtrace_length (Printexc.get_callstack max_int) in
    s.pass (fun p ->
        let here = depth () and calls = ref 0 in
        p.iterate position position (fun _ -> calls := depth () - here);
        !calls)
end
