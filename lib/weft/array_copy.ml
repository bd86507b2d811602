(* Up to so many elements take a few microseconds at most, and are not worth a loop. *)
let short = 4096

(* OCaml's own functions copy to a new array at half the cost per element of a copy to an existing one, which
   {!Results} has filled before. So with fewer workers than this, a million strings take longer in
   parallel. *)
let enough_workers = 3
let is_worth_sharing n = n > short && Current_worker.in_pool Current_worker.workers >= enough_workers

(* The ranges are known to be valid, and not to overlap. *)
let transfer who src from dst into len =
  if len <= short then Array.blit src from dst into len
  else
    Loop.blocks ~who ~start:0 ~finish:(len - 1) (fun first last ->
        Array.blit src (from + first) dst (into + first) (last - first + 1))

let blit src from dst into len =
  let who = "Weft.Array.blit" in
  Bounds.within who ~pos:from ~len (Array.length src);
  Bounds.within who ~pos:into ~len (Array.length dst);
  (* If the ranges overlap, a block would overwrite elements that others have not read yet. *)
  if src == dst && abs (from - into) < len then Array.blit src from dst into len
  else transfer who src from dst into len

let fill a pos len x =
  let who = "Weft.Array.fill" in
  Bounds.within who ~pos ~len (Array.length a);
  if len <= short then Array.fill a pos len x
  else
    Loop.blocks ~who ~start:pos
      ~finish:(pos + len - 1)
      (fun first last -> Array.fill a first (last - first + 1) x)

let part who a pos len =
  if not (is_worth_sharing len) then Array.sub a pos len
  else begin
    let r = Results.make len (Array.unsafe_get a pos) in
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
  if not (is_worth_sharing (n + m)) then Array.append a b
  else begin
    let r = Results.make (n + m) (if n > 0 then Array.unsafe_get a 0 else Array.unsafe_get b 0) in
    transfer who a 0 r 0 n;
    transfer who b 0 r n m;
    r
  end

(* [concat] and [flatten] of arrays that have [total] elements, at least one. *)
let join who arrays total =
  let _, starts = Array.fold_left_map (fun sum a -> (sum + Array.length a, sum)) 0 arrays in
  let rec some_element k = if Array.length arrays.(k) > 0 then arrays.(k).(0) else some_element (k + 1) in
  let r = Results.make total (some_element 0) in
  Loop.blocks ~who ~start:0
    ~finish:(Array.length arrays - 1)
    (fun first last ->
      for k = first to last do
        transfer who arrays.(k) 0 r starts.(k) (Array.length arrays.(k))
      done);
  r

let total arrays = Array.fold_left (fun sum a -> sum + Array.length a) 0 arrays

let flatten arrays =
  let total = total arrays in
  if not (is_worth_sharing total) then Array.concat (Array.to_list arrays)
  else join "Weft.Array.flatten" arrays total

let concat list =
  let arrays = Array.of_list list in
  let total = total arrays in
  if not (is_worth_sharing total) then Array.concat list else join "Weft.Array.concat" arrays total
