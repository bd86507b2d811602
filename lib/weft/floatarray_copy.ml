module F = Float.Array

(* Up to so many elements take a microsecond at most, and are not worth a loop. *)
let short = 4096

(* The range is known to be valid. *)
let fill_range who a pos len x =
  if len <= short then begin
    Current_worker.poll_anywhere ();
    F.fill a pos len x
  end
  else
    Loop.blocks ~who ~start:pos
      ~finish:(pos + len - 1)
      (fun first last -> F.fill a first (last - first + 1) x)

(* The ranges are known to be valid, and not to overlap. *)
let transfer who src from dst into len =
  if len <= short then begin
    Current_worker.poll_anywhere ();
    F.blit src from dst into len
  end
  else
    Loop.blocks ~who ~start:0 ~finish:(len - 1) (fun first last ->
        F.blit src (from + first) dst (into + first) (last - first + 1))

let fill a pos len x =
  let who = "Weft.Floatarray.fill" in
  Bounds.within who ~pos ~len (F.length a);
  fill_range who a pos len x

let blit src from dst into len =
  let who = "Weft.Floatarray.blit" in
  Bounds.within who ~pos:from ~len (F.length src);
  Bounds.within who ~pos:into ~len (F.length dst);
  if src == dst && abs (from - into) < len then begin
    Current_worker.poll_anywhere ();
    F.blit src from dst into len
  end
  else transfer who src from dst into len

let part who a pos len =
  let r = F.create len in
  transfer who a pos r 0 len;
  r

let sub a pos len =
  let who = "Weft.Floatarray.sub" in
  Bounds.within who ~pos ~len (F.length a);
  part who a pos len

let copy a = part "Weft.Floatarray.copy" a 0 (F.length a)

let append a b =
  let who = "Weft.Floatarray.append" in
  let n = F.length a and m = F.length b in
  let r = F.create (Bounds.sum who n m) in
  transfer who a 0 r 0 n;
  transfer who b 0 r n m;
  r

let concat list =
  let who = "Weft.Floatarray.concat" in
  let arrays = Array.of_list list in
  let total, starts = Array.fold_left_map (fun sum a -> (Bounds.sum who sum (F.length a), sum)) 0 arrays in
  if total <= short then begin
    Current_worker.poll_anywhere ();
    F.concat list
  end
  else begin
    let r = F.create total in
    Loop.blocks ~who ~start:0
      ~finish:(Array.length arrays - 1)
      (fun first last ->
        for k = first to last do
          transfer who arrays.(k) 0 r starts.(k) (F.length arrays.(k))
        done);
    r
  end
