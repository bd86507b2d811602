let who = Seq_reductions.who

(* Calls [use] with both, numbered, and the length of the shorter. *)
let compared name (a : _ Source.t) (b : _ Source.t) use =
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

let equal eq (a : _ Source.t) (b : _ Source.t) =
  match (a.known, b.known) with
  | Some n, Some m when n <> m -> false
  | _ ->
      compared "equal" a b (fun p q n ->
          p.positions = q.positions
          && Option.is_none
               (first_of_pairs (Search.any ?chunk_size:None ?code:None) "equal" p q n (fun x y ->
                    if eq x y then None else Some ())))

let compare cmp a b =
  compared "compare" a b (fun p q n ->
      let differ x y = match cmp x y with 0 -> None | c -> Some c in
      match first_of_pairs (Search.first ?chunk_size:None ?code:None) "compare" p q n differ with
      | Some c -> c
      | None -> Int.compare p.positions q.positions)
