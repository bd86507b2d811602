let swap a i j =
  let x = get a i in
  set a i (get a j);
  set a j x

let in_order cmp a i b j = cmp (get a i) (get b j) <= 0

let copy a i b j n =
  for k = 0 to n - 1 do
    set b (j + k) (get a (i + k))
  done

let put_back a b first n = blit a first b first n

(* The run that starts at [first]: its last index, and whether it falls. *)
let rec rising cmp a last i =
  if i < last && cmp (get a i) (get a (i + 1)) <= 0 then rising cmp a last (i + 1) else i

let rec falling cmp a last i =
  if i < last && cmp (get a i) (get a (i + 1)) > 0 then falling cmp a last (i + 1) else i

let rec reverse_to a b i j =
  (* Exchanges element [i] of [a] and those after it with [j] of [b] and those before it. *)
  if i < j then begin
    let x = get a i and y = get a j in
    set b i y;
    set b j x;
    reverse_to a b (i + 1) (j - 1)
  end
  else if i = j then set b i (get a i)

(* Where [x] belongs among the sorted elements from [first] up to before [i]. *)
let rec place cmp b first x i =
  if i > first && cmp (get b (i - 1)) x > 0 then place cmp b first x (i - 1) else i

let insert cmp a b first from last =
  for i = from to last do
    let x = get a i in
    (* Compares before it writes: a comparison may raise, and [a] may be [b]. *)
    let p = place cmp b first x i in
    for j = i downto p + 1 do
      set b j (get b (j - 1))
    done;
    set b p x
  done

let sort_few cmp a b first last =
  let up = rising cmp a last first in
  if up = last then Runs.Rising
  else if up > first then begin
    if a != b then copy a first b first (up - first + 1);
    insert cmp a b first (up + 1) last;
    Sorted
  end
  else begin
    let down = falling cmp a last (first + 1) in
    if down = last then Falling
    else begin
      reverse_to a b first down;
      insert cmp a b first (down + 1) last;
      Sorted
    end
  end
