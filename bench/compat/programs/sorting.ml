(* Quicksort by tasks, in place; merge sort by tasks, into new arrays. *)

module T = Domainslib.Task

let swap a i j =
  let x = a.(i) in
  a.(i) <- a.(j);
  a.(j) <- x

(* Hoare's: everything up to the result is at most everything after it. *)
let partition (a : int array) low high =
  let pivot = a.((low + high) / 2) in
  let i = ref (low - 1) and j = ref (high + 1) in
  let rec go () =
    incr i;
    while a.(!i) < pivot do
      incr i
    done;
    decr j;
    while a.(!j) > pivot do
      decr j
    done;
    if !i < !j then begin
      swap a !i !j;
      go ()
    end
  in
  go ();
  !j

let rec quicksort pool a low high =
  if low < high then begin
    let middle = partition a low high in
    if high - low < 1000 then begin
      quicksort pool a low middle;
      quicksort pool a (middle + 1) high
    end
    else
      let left = T.async pool (fun () -> quicksort pool a low middle) in
      quicksort pool a (middle + 1) high;
      T.await pool left
  end

let merge (a : int array) b =
  let n = Array.length a and m = Array.length b in
  let i = ref 0 and j = ref 0 in
  Array.init (n + m) (fun _ ->
      if !j = m || (!i < n && a.(!i) <= b.(!j)) then begin
        incr i;
        a.(!i - 1)
      end
      else begin
        incr j;
        b.(!j - 1)
      end)

let rec merge_sort pool a =
  let n = Array.length a in
  if n < 1000 then begin
    let a = Array.copy a in
    Array.stable_sort Int.compare a;
    a
  end
  else
    let left = T.async pool (fun () -> merge_sort pool (Array.sub a 0 (n / 2))) in
    let right = T.async pool (fun () -> merge_sort pool (Array.sub a (n / 2) (n - (n / 2)))) in
    merge (T.await pool left) (T.await pool right)

let numbers size =
  let random = Random.State.make [| size |] in
  Array.init size (fun _ -> Random.State.bits random)

let is_sorted (a : int array) =
  let rec from i = i >= Array.length a || (a.(i - 1) <= a.(i) && from (i + 1)) in
  from 1

let tell what a =
  let weigh (sum, i) x = ((sum + (i * x)) land 0xFFFFFFF, i + 1) in
  Printf.printf "%s: sorted %b, weight %d\n" what (is_sorted a) (fst (Array.fold_left weigh (0, 1) a))

let run ~domains ~size =
  let pool = T.setup_pool ~num_domains:(domains - 1) () in
  let a = numbers size in
  T.run pool (fun () -> quicksort pool a 0 (size - 1));
  tell "quicksort" a;
  tell "merge sort" (T.run pool (fun () -> merge_sort pool (numbers size)));
  T.teardown_pool pool
