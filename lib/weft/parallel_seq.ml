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
let scan_exclusive combine init s = Source.scan_exclusive ~who:(who "scan_exclusive") combine init s

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
let concat ss = List.fold_left (Seq_joined.append ~who:(who "concat")) empty ss
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
let min = Seq_reductions.min
let max = Seq_reductions.max
let min_by = Seq_reductions.min_by
let max_by = Seq_reductions.max_by
let sum = Seq_reductions.sum
let product = Seq_reductions.product
let count = Seq_reductions.count
let length = Seq_reductions.length
let float_sum = Seq_reductions.float_sum

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
let find_index f s = first_answer "find_index" Fun.id (mapi (fun i x -> if f x then Some i else None) s)
let exists f s = Option.is_some (some_answer "exists" (fun x -> if f x then Some () else None) s)
let for_all f s = Option.is_none (some_answer "for_all" (fun x -> if f x then None else Some ()) s)

(* --- comparisons --- *)

(* Calls [use] with both, numbered, and the length of the shorter. *)
let compared name (a : _ t) (b : _ t) use =
  let who = who name in
  Current_worker.in_pool @@ fun () ->
  a.pass (fun p ->
      b.pass (fun q ->
          Seq_slices.by_number ~who p (fun p ->
              Seq_slices.by_number ~who q (fun q -> use p q (Int.min p.positions q.positions)))))

(* The first answer of [f] on pairs of elements. *)
let first_of_pairs search name (p : _ Source.pass) (q : _ Source.pass) n f =
  let x = Option.get p.get and y = Option.get q.get in
  let rec look i last =
    match f (x i) (y i) with None -> if i < last then look (i + 1) last else None | answer -> answer
  in
  search ~who:(who name) ~start:0 ~finish:(n - 1) look

let equal eq (a : _ t) (b : _ t) =
  match (a.known, b.known) with
  | Some n, Some m when n <> m -> false
  | _ ->
      compared "equal" a b (fun p q n ->
          p.positions = q.positions
          && Option.is_none
               (first_of_pairs (Search.any ?chunk_size:None) "equal" p q n (fun x y ->
                    if eq x y then None else Some ())))

let compare cmp a b =
  compared "compare" a b (fun p q n ->
      let differ x y = match cmp x y with 0 -> None | c -> Some c in
      match first_of_pairs (Search.first ?chunk_size:None) "compare" p q n differ with
      | Some c -> c
      | None -> Int.compare p.positions q.positions)

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
let to_string s = Bytes.unsafe_to_string (collect "to_string" Collecting.to_bytes s)
let to_bytes s = collect "to_bytes" Collecting.to_bytes s

let concat_strings separator s =
  collect "concat_strings" (fun ~who p -> Collecting.concat_strings ~who separator p) s

let partition f s = collect "partition" (fun ~who p -> Collecting.partition ~who f p) s
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
