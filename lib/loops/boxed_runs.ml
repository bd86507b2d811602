type order = Array_repr.boxed -> Array_repr.boxed -> int
type t = Array_repr.boxed array

external get : t -> int -> Array_repr.boxed = "%array_unsafe_get"
external set : t -> int -> Array_repr.boxed -> unit = "%array_unsafe_set"

let length : t -> int = Array.length
let create a = Array_repr.blank (Array.length a)
let few = 8

let swap a i j =
  let x = get a i in
  set a i (get a j);
  set a j x

let in_order cmp a i b j = cmp (get a i) (get b j) <= 0

let copy a i b j n =
  for k = 0 to n - 1 do
    set b (j + k) (get a (i + k))
  done

(* The primitive itself; it checks no bounds. *)
external blit : t -> int -> t -> int -> int -> unit = "caml_array_blit"

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

let merge cmp (c : Runs.cursor) a left_end right_end b k =
  (* The elements compared stay in registers, and boxed if they are floats. *)
  let rec loop i x j y k =
    if cmp x y <= 0 then begin
      set b k x;
      let i = i + 1 in
      if i < left_end then loop i (get a i) j y (k + 1) else stop i j
    end
    else begin
      set b k y;
      let j = j + 1 in
      if j < right_end then loop i x j (get a j) (k + 1) else stop i j
    end
  and stop i j =
    c.left <- i;
    c.right <- j
  in
  let i = c.left and j = c.right in
  loop i (get a i) j (get a j) k
