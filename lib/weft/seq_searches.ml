let who = Seq_reductions.who
let consume = Seq_reductions.consume

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
let find_mapi f s = first_answer "find_mapi" Fun.id (Source.mapi ~who:(who "find_mapi") f s)

let find_index f s =
  let index i x = if f x then Some i else None in
  first_answer "find_index" Fun.id (Source.mapi ~who:(who "find_index") index s)

let exists f s = Option.is_some (some_answer "exists" (fun x -> if f x then Some () else None) s)
let for_all f s = Option.is_none (some_answer "for_all" (fun x -> if f x then None else Some ()) s)

let is_empty (s : _ Source.t) =
  match s.known with Some n -> n = 0 | None -> Option.is_none (some_answer "is_empty" (fun _ -> Some ()) s)

(* Whether [f] gives [wanted] for some pair. *)
let some_pair name (wanted : bool) f a b =
  let results = Seq_slices.map2 ~who:(who name) f a b in
  Option.is_some (some_answer name (fun result -> if result = wanted then Some () else None) results)

let exists2 f a b = some_pair "exists2" true f a b
let for_all2 f a b = not (some_pair "for_all2" false f a b)
