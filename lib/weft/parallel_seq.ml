(* Within this module, [Seq], [Array] and [List] are OCaml's. *)

type 'a t = 'a Source.t

let who = Seq_reductions.who

(* --- sources --- *)

let empty = Seq_sources.empty
let return x = Seq_sources.init 1 (fun _ -> x)
let init = Seq_sources.init
let of_range = Seq_sources.of_range
let of_array = Seq_sources.of_array
let of_floatarray = Seq_sources.of_floatarray
let of_string = Seq_sources.of_string
let of_bytes = Seq_sources.of_bytes
let of_bigarray = Seq_sources.of_bigarray
let of_list l = of_array (Array.of_list l)
let of_seq s = of_array (Array.of_seq s)
let unfold f x = of_seq (Seq.unfold f x)
let of_dispenser next = of_seq (Seq.of_dispenser next)
let lines path = File_lines.source path

(* --- element by element --- *)

(* [stage] takes the [push] of the next step and returns the [push] for [s]. [element], if it pushes once for
   each element, gives from [get] of [s] that of the result. *)
let through ?element (s : 'a t) (stage : ('b -> unit) -> 'a -> unit) : 'b t =
  let one_to_one = Option.is_some element in
  let change (p : _ Source.pass) =
    {
      Source.positions = p.positions;
      offset = (if one_to_one then p.offset else None);
      get = (match (element, p.get) with Some element, Some get -> Some (element get) | _ -> None);
      iterate = (fun first last push -> p.iterate first last (stage push));
    }
  in
  {
    known = (if one_to_one then s.known else None);
    each = (fun push -> s.each (stage push));
    pass = (fun k -> s.pass (fun p -> k (change p)));
    halves = None;
  }

let map f s = through s ~element:(fun get i -> f (get i)) (fun push x -> push (f x))
let mapi f s = Source.mapi ~who:(who "mapi") f s
let filter f s = through s (fun push x -> if f x then push x)
let filter_map f s = through s (fun push x -> match f x with None -> () | Some y -> push y)
let flat_map f s = through s (fun push x -> (f x : _ t).each push)
let scan combine s = Source.scan ~who:(who "scan") combine s
let scan_inclusive = scan
let scan_exclusive combine init s = Source.scan_exclusive ~who:(who "scan_exclusive") combine init s
let concat_map = flat_map
let partition f s = (filter f s, filter (fun x -> not (f x)) s)

let partition_map f s =
  let left x = match f x with Either.Left y -> Some y | Right _ -> None
  and right x = match f x with Either.Left _ -> None | Right z -> Some z in
  (filter_map left s, filter_map right s)

let unzip s = (map fst s, map snd s)
let split = unzip
let map_product f s s' = flat_map (fun x -> map (f x) s') s
let product s s' = map_product (fun x y -> (x, y)) s s'

(* --- by number --- *)

let map2 f a b = Seq_slices.map2 ~who:(who "map2") f a b
let zip a b = Seq_slices.map2 ~who:(who "zip") (fun x y -> (x, y)) a b
let take n s = Seq_slices.take ~who:(who "take") n s
let drop n s = Seq_slices.drop ~who:(who "drop") n s
let split_at n s = Seq_slices.(take ~who:(who "split_at") n s, drop ~who:(who "split_at") n s)
let rev s = Seq_slices.rev ~who:(who "rev") s
let step_by k s = Seq_slices.step_by ~who:(who "step_by") k s
let chunks size s = Seq_slices.chunks ~who:(who "chunks") size s
let windows size s = Seq_slices.windows ~who:(who "windows") size s

(* --- one after the other --- *)

let append a b = Seq_joined.append ~who:(who "append") a b
let concat_list ss = List.fold_left (Seq_joined.append ~who:(who "concat_list")) empty ss
let concat ss = List.fold_left (Seq_joined.append ~who:(who "concat")) empty ss
let cons x s = Seq_joined.append ~who:(who "cons") (return x) s
let flatten ss = Seq_joined.flatten ~who:(who "flatten") ss

(* --- consumers --- *)

let consume = Seq_reductions.consume

let iter_as name f s =
  consume s (fun p ->
      Loop.blocks ~who:(who name) ~start:0 ~finish:(p.positions - 1) (fun first last ->
          p.iterate first last f))

let iter f s = iter_as "iter" f s
let iteri f s = iter_as "iteri" Fun.id (Source.mapi ~who:(who "iteri") f s)
let fold = Seq_reductions.fold
let try_fold = Seq_reductions.try_fold
let reduce = Seq_reductions.reduce
let min_opt = Seq_reductions.min_opt
let max_opt = Seq_reductions.max_opt
let min_by = Seq_reductions.min_by
let max_by = Seq_reductions.max_by
let sum = Seq_reductions.sum
let count = Seq_reductions.count
let length = Seq_reductions.length
let float_sum = Seq_reductions.float_sum

(* In the calling fiber alone. *)
let fold_left f init (s : _ t) =
  Seq_reductions.enter s (fun () ->
      Current_worker.poll ();
      let acc = ref init in
      s.each (fun x -> acc := f !acc x);
      !acc)

let fold_lefti f init s =
  let i = ref (-1) in
  let next acc x =
    incr i;
    f acc !i x
  in
  fold_left next init s

(* --- searches --- *)

let find_map = Seq_searches.find_map
let find = Seq_searches.find
let find_mapi = Seq_searches.find_mapi
let find_index = Seq_searches.find_index
let exists = Seq_searches.exists
let for_all = Seq_searches.for_all
let is_empty = Seq_searches.is_empty

(* --- two sequences in step --- *)

let iter2 f a b = iter_as "iter2" Fun.id (Seq_slices.map2 ~who:(who "iter2") f a b)

let fold_left2 f init a b =
  let pairs = Seq_slices.map2 ~who:(who "fold_left2") (fun x y -> (x, y)) a b in
  fold_left (fun acc (x, y) -> f acc x y) init pairs

let exists2 = Seq_searches.exists2
let for_all2 = Seq_searches.for_all2
let equal = Seq_pairs.equal
let compare = Seq_pairs.compare

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
let sequence_by name s () = Array.to_seq (array_by name s) ()
let to_seq s = sequence_by "to_seq" s
let to_dispenser s = Seq.to_dispenser (sequence_by "to_dispenser" s)
let to_string s = Bytes.unsafe_to_string (collect "to_string" Collecting.to_bytes s)
let to_bytes s = collect "to_bytes" Collecting.to_bytes s

let concat_strings separator s =
  collect "concat_strings" (fun ~who p -> Collecting.concat_strings ~who separator p) s

let partition_to_arrays f s = collect "partition_to_arrays" (fun ~who p -> Collecting.partition ~who f p) s

let memoize (s : _ t) =
  let elements = Once.make (fun () -> of_array (array_by "memoize" s)) in
  {
    s with
    each = (fun push -> (Once.get elements).each push);
    pass = (fun k -> (Once.get elements).pass k);
    halves = None;
  }

let force s = of_array (array_by "force" s)

module Text = Seq_text

module Private = struct
  let text ~block s = Seq_text.(with_blocks block (of_string s))
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
