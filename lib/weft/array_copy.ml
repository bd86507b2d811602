(* Up to so many elements take a few microseconds at most, and are not worth a loop. *)
let short = 4096

(* OCaml's own functions copy to a new array at half the cost per element of a copy to an existing one, which
   {!Results} has filled before. So with fewer workers than this, a million strings take longer in
   parallel. *)
let enough_workers = 3

let is_worth_sharing n =
  Current_worker.poll_anywhere ();
  n > short && Current_worker.in_pool Current_worker.workers >= enough_workers

(* The ranges are known to be valid, and not to overlap. *)
let transfer who src from dst into len =
  if len <= short then begin
    Current_worker.poll_anywhere ();
    Array.blit src from dst into len
  end
  else
    Loop.blocks ~who ~start:0 ~finish:(len - 1) (fun first last ->
        Array.blit src (from + first) dst (into + first) (last - first + 1))

let blit src from dst into len =
  let who = "Weft.Array.blit" in
  Bounds.within who ~pos:from ~len (Array.length src);
  Bounds.within who ~pos:into ~len (Array.length dst);
  (* If the ranges overlap, a block would overwrite elements that others have not read yet. *)
  if src == dst && abs (from - into) < len then begin
    Current_worker.poll_anywhere ();
    Array.blit src from dst into len
  end
  else transfer who src from dst into len

let fill a pos len x =
  let who = "Weft.Array.fill" in
  Bounds.within who ~pos ~len (Array.length a);
  if len <= short then begin
    Current_worker.poll_anywhere ();
    Array.fill a pos len x
  end
  else
    Loop.blocks ~who ~start:pos
      ~finish:(pos + len - 1)
      (fun first last -> Array.fill a first (last - first + 1) x)

let part who a pos len =
  if not (is_worth_sharing len) then Array.sub a pos len
  else begin
    let r = Results.like a len in
    transfer who a pos r 0 len;
    r
  end

let sub a pos len =
  let who = "Weft.Array.sub" in
  Bounds.within who ~pos ~len (Array.length a);
  part who a pos len

let copy a = part "Weft.Array.copy" a 0 (Array.length a)

let append a b =
  let who = "Weft.Array.append" in
  let n = Array.length a and m = Array.length b in
  Bounds.length who (n + m);
  if not (is_worth_sharing (n + m)) then Array.append a b
  else begin
    let r = Results.like (if n > 0 then a else b) (n + m) in
    transfer who a 0 r 0 n;
    transfer who b 0 r n m;
    r
  end

(* [concat] and [flatten] of arrays that have [total] elements, at least one. *)
let join who arrays total =
  let _, starts = Array.fold_left_map (fun sum a -> (sum + Array.length a, sum)) 0 arrays in
  let rec some_array k = if Array.length arrays.(k) > 0 then arrays.(k) else some_array (k + 1) in
  let r = Results.like (some_array 0) total in
  Loop.blocks ~who ~start:0
    ~finish:(Array.length arrays - 1)
    (fun first last ->
      for k = first to last do
        transfer who arrays.(k) 0 r starts.(k) (Array.length arrays.(k))
      done);
  r

let total who arrays = Array.fold_left (fun sum a -> Bounds.sum who sum (Array.length a)) 0 arrays

let flatten ~who arrays =
  let total = total who arrays in
  if not (is_worth_sharing total) then Array.concat (Array.to_list arrays) else join who arrays total

let concat list =
  let who = "Weft.Array.concat" and arrays = Array.of_list list in
  let total = total who arrays in
  if not (is_worth_sharing total) then Array.concat list else join who arrays total

(* --- in another order --- *)

let rev a =
  let n = Array.length a in
  if n = 0 then [||]
  else begin
    let r = Results.like a n in
    Loop.blocks ~who:"Weft.Array.rev" ~start:0 ~finish:(n - 1) (fun first last ->
        for i = first to last do
          Results.set_first r i (Array.unsafe_get a (n - 1 - i))
        done);
    r
  end

(* There is no safepoint between the two writes of an exchange: so each element stays once. *)
let rev_inplace ?pos ?len a =
  let who = "Weft.Array.rev_inplace" in
  let start, finish = Bounds.range who pos len (Array.length a) in
  Loop.blocks ~who ~start:0
    ~finish:(((finish - start + 1) / 2) - 1)
    (fun first last ->
      for k = first to last do
        let x = Array.unsafe_get a (start + k) and y = Array.unsafe_get a (finish - k) in
        Array.unsafe_set a (start + k) y;
        Array.unsafe_set a (finish - k) x
      done)

let rotate k a =
  let who = "Weft.Array.rotate" and n = Array.length a in
  if n = 0 then [||]
  else begin
    let k = ((k mod n) + n) mod n in
    let r = Results.like a n in
    transfer who a k r 0 (n - k);
    transfer who a 0 r (n - k) k;
    r
  end
