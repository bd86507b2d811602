type order = unit
type t = floatarray

external get : t -> int -> float = "%floatarray_unsafe_get"
external set : t -> int -> float -> unit = "%floatarray_unsafe_set"

let length = Float.Array.length
let create a = Float.Array.create (length a)
let few = 8

(* Not greater, in the order of [Float.compare], which puts nan first: 1 or 0, without a branch. *)
let[@inline] le (x : float) (y : float) = Bool.to_int (x <= y) lor Bool.to_int (x <> x)

let swap a i j =
  let x = get a i in
  set a i (get a j);
  set a j x

let in_order () a i b j = le (get a i) (get b j) = 1

let copy a i b j n =
  for k = 0 to n - 1 do
    set b (j + k) (get a (i + k))
  done

(* The primitive itself; it checks no bounds. *)
external blit : t -> int -> t -> int -> int -> unit = "caml_floatarray_blit"

let put_back a b first n = blit a first b first n

(* The run that starts at [first]: its last index, and whether it falls. *)
let rec rising a last i = if i < last && le (get a i) (get a (i + 1)) = 1 then rising a last (i + 1) else i
let rec falling a last i = if i < last && le (get a i) (get a (i + 1)) = 0 then falling a last (i + 1) else i

let rec reverse_to a b i j =
  (* Element [i] of [a] and those after it to [j] of [b] and those before it. *)
  if i < j then begin
    let x = get a i and y = get a j in
    set b i y;
    set b j x;
    reverse_to a b (i + 1) (j - 1)
  end
  else if i = j then set b i (get a i)

let insert a b first from last =
  for i = from to last do
    let x = get a i in
    (* A loop, not a function: [x] would be boxed to be passed to one. *)
    let p = ref i in
    while !p > first && le (get b (!p - 1)) x = 0 do
      set b !p (get b (!p - 1));
      decr p
    done;
    set b !p x
  done

let sort_few () a b first last =
  let up = rising a last first in
  if up = last then Runs.Rising
  else if up > first then begin
    if a != b then copy a first b first (up - first + 1);
    insert a b first (up + 1) last;
    Sorted
  end
  else begin
    let down = falling a last (first + 1) in
    if down = last then Falling
    else begin
      reverse_to a b first down;
      insert a b first (down + 1) last;
      Sorted
    end
  end

let merge () (c : Runs.cursor) a left_end right_end b k =
  let i = ref c.left and j = ref c.right in
  let shift = k - !i - !j in
  while !i < left_end && !j < right_end do
    let left = le (get a !i) (get a !j) in
    (* Element [i] or [j]; a branch would be mispredicted every other time. *)
    set b (!i + !j + shift) (get a (!j lxor (!i lxor !j land -left)));
    i := !i + left;
    j := !j + 1 - left
  done;
  c.left <- !i;
  c.right <- !j
