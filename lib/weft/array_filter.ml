(* --- predicates: a byte per element --- *)

let yes = '\001'
let no = '\000'

(* The answers for [n] elements, which [mark flags first last] writes; for every block, how many of them before
   it are [yes]; and how many are in all. *)
let ask sieve ~who n mark =
  let flags = Bytes.create n in
  Loop.blocks ~who ~start:0 ~finish:(n - 1) (mark flags);
  let counts = Array.make (Sieve.count sieve) 0 in
  Sieve.over sieve (fun k first last ->
      let here = ref 0 in
      for i = first to last do
        here := !here + Char.code (Bytes.unsafe_get flags i)
      done;
      counts.(k) <- !here);
  let total = Sieve.add_up counts in
  (flags, counts, total)

let by_predicate p a flags first last =
  for i = first to last do
    Bytes.unsafe_set flags i (if p (Array.unsafe_get a i) then yes else no)
  done

let pick sieve a flags which ~start ~total =
  if total = 0 then [||]
  else if total = Array.length a then Array_copy.copy a
  else begin
    let r = Results.like a total in
    Sieve.over sieve (fun k first last ->
        let at = ref (start k first) in
        for i = first to last do
          if Bytes.unsafe_get flags i = which then begin
            Results.set_first r !at (Array.unsafe_get a i);
            incr at
          end
        done);
    r
  end

(* The elements that [mark] marks. *)
let keep ~who mark a =
  let n = Array.length a in
  let sieve = Sieve.make ~who n in
  let flags, before, total = ask sieve ~who n mark in
  pick sieve a flags yes ~start:(fun k _ -> before.(k)) ~total

let filter p a = keep ~who:"Weft.Array.filter" (by_predicate p a) a

let filteri p a =
  keep ~who:"Weft.Array.filteri"
    (fun flags first last ->
      for i = first to last do
        Bytes.unsafe_set flags i (if p i (Array.unsafe_get a i) then yes else no)
      done)
    a

let by_flags marks flags first last =
  for i = first to last do
    Bytes.unsafe_set flags i (if Array.unsafe_get marks i then yes else no)
  done

let pack marks a =
  let who = "Weft.Array.pack" in
  Bounds.same who (Array.length marks) (Array.length a);
  keep ~who (by_flags marks) a

let pack_index marks =
  let who = "Weft.Array.pack_index" and n = Array.length marks in
  let sieve = Sieve.make ~who n in
  let flags, before, total = ask sieve ~who n (by_flags marks) in
  let r = Array.make total 0 in
  Sieve.over sieve (fun k first last ->
      let at = ref before.(k) in
      for i = first to last do
        if Bytes.unsafe_get flags i = yes then begin
          Array.unsafe_set r !at i;
          incr at
        end
      done);
  r

let partition p a =
  let who = "Weft.Array.partition" and n = Array.length a in
  let sieve = Sieve.make ~who n in
  let flags, before, total = ask sieve ~who n (by_predicate p a) in
  ( pick sieve a flags yes ~start:(fun k _ -> before.(k)) ~total,
    pick sieve a flags no ~start:(fun k first -> first - before.(k)) ~total:(n - total) )

(* --- filter_map: each block puts the elements that it keeps into an array of its own, until it is known
   where they go --- *)

type 'b kept = { mutable items : 'b array; mutable used : int }

let[@inline never] grow kept ~at_most x =
  let larger = Results.to_write x (min at_most (max 8 (2 * kept.used))) in
  Array.blit kept.items 0 larger 0 kept.used;
  kept.items <- larger

let filter_map f a =
  let sieve = Sieve.make ~who:"Weft.Array.filter_map" (Array.length a) in
  let parts = Array.init (Sieve.count sieve) (fun _ -> { items = [||]; used = 0 }) in
  Sieve.over sieve (fun k first last ->
      let kept = parts.(k) in
      for i = first to last do
        match f (Array.unsafe_get a i) with
        | None -> ()
        | Some x ->
            if kept.used = Array.length kept.items then grow kept ~at_most:(Sieve.block sieve) x;
            Array.unsafe_set kept.items kept.used x;
            kept.used <- kept.used + 1
      done);
  let before = Array.map (fun kept -> kept.used) parts in
  let total = Sieve.add_up before in
  let rec some_item k = if parts.(k).used > 0 then parts.(k).items.(0) else some_item (k + 1) in
  if total = 0 then [||]
  else begin
    let r = Results.to_write (some_item 0) total in
    Sieve.over sieve (fun k _ _ -> Array.blit parts.(k).items 0 r before.(k) parts.(k).used);
    r
  end
