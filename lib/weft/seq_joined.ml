let not_too_many who what n = if n < 0 then invalid_arg (who ^ ": more than max_int " ^ what) else n

(* All appended parts in one array, however they were nested: so a range of positions is found in O(log
   (parts)). *)
let rec parts (s : _ Source.t) rest =
  match s.halves with None -> s :: rest | Some (a, b) -> parts a (parts b rest)

let rec passes parts ready k =
  match parts with
  | [] -> k (Array.of_list (List.rev ready))
  | (s : _ Source.t) :: rest -> s.pass (fun p -> passes rest (p :: ready) k)

(* Element [i] is the sum of [amount] over the parts before [i]; the last element is the sum over all. *)
let sums who what amount parts =
  let sums = Array.make (Array.length parts + 1) 0 in
  Array.iteri (fun i p -> sums.(i + 1) <- not_too_many who what (sums.(i) + amount p)) parts;
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

let join who (parts : _ Source.pass array) =
  let count = Array.length parts in
  let starts = sums who "positions" (fun (p : _ Source.pass) -> p.positions) parts in
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
      let before = sums who "elements" (fun (p : _ Source.pass) -> of_part p p.positions) parts in
      Some
        (fun position ->
          let i = part_at starts count position in
          before.(i) + of_part parts.(i) (position - starts.(i)))
  in
  let get =
    if Array.exists (fun (p : _ Source.pass) -> Option.is_none p.get) parts then None
    else
      let gets = Array.map (fun (p : _ Source.pass) -> Option.get p.get) parts in
      Some
        (fun position ->
          let i = part_at starts count position in
          gets.(i) (position - starts.(i)))
  in
  { Source.positions = starts.(count); offset; get; iterate }

let append ~who (a : 'a Source.t) (b : 'a Source.t) : 'a Source.t =
  let parts () = parts a (parts b []) in
  {
    known =
      (match (a.known, b.known) with
      | Some n, Some m -> Some (not_too_many who "elements" (n + m))
      | _ -> None);
    each = (fun push -> List.iter (fun (s : _ Source.t) -> s.each push) (parts ()));
    pass = (fun k -> passes (parts ()) [] (fun parts -> k (join who parts)));
    halves = Some (a, b);
  }

let flatten ~who (s : _ Source.t Source.t) : _ Source.t =
  let pass k =
    Option.iter (Bounds.length who) s.known;
    let inner = s.pass (fun p -> Collecting.to_array ~who p) in
    if Array.length inner = 0 then Seq_sources.empty.pass k
    else
      passes
        (List.concat_map (fun s -> parts s []) (Array.to_list inner))
        []
        (fun parts -> k (join who parts))
  in
  {
    known = None;
    each = (fun push -> s.each (fun (inner : _ Source.t) -> inner.each push));
    pass;
    halves = None;
  }
