let in_order a low =
  let rec from i =
    i >= Array.length a || (Array.unsafe_get a (i - 1) lsr low <= Array.unsafe_get a i lsr low && from (i + 1))
  in
  from 1

(* Moves all elements from [a] to [b], sorted by one digit. *)
let pass a b shift digit_bits =
  let buckets = 1 lsl digit_bits in
  let mask = buckets - 1 in
  let starts = Array.make buckets 0 in
  let n = Array.length a in
  for i = 0 to n - 1 do
    let d = (Array.unsafe_get a i lsr shift) land mask in
    Array.unsafe_set starts d (Array.unsafe_get starts d + 1)
  done;
  let sum = ref 0 in
  for d = 0 to mask do
    let count = Array.unsafe_get starts d in
    Array.unsafe_set starts d !sum;
    sum := !sum + count
  done;
  for i = 0 to n - 1 do
    let x = Array.unsafe_get a i in
    let d = (x lsr shift) land mask in
    let at = Array.unsafe_get starts d in
    Array.unsafe_set starts d (at + 1);
    Array.unsafe_set b at x
  done

let insertion_sort a low =
  for i = 1 to Array.length a - 1 do
    let x = a.(i) in
    let j = ref (i - 1) in
    while !j >= 0 && Array.unsafe_get a !j lsr low > x lsr low do
      Array.unsafe_set a (!j + 1) (Array.unsafe_get a !j);
      decr j
    done;
    Array.unsafe_set a (!j + 1) x
  done

(* The type annotation tells the compiler that no write barrier is needed. *)
let sort (a : int array) ~low ~bits =
  let n = Array.length a in
  if not (in_order a low) then
    if n <= 32 then insertion_sort a low
    else begin
      (* In a pass, a bucket costs about as much as an element. *)
      let most = if n < 1024 then 6 else if n < 16384 then 8 else 11 in
      let passes = (bits + most - 1) / most in
      let digit = (bits + passes - 1) / passes in
      let b = Array.make n 0 in
      for p = 0 to passes - 1 do
        let from, into = if p land 1 = 0 then (a, b) else (b, a) in
        pass from into (low + (p * digit)) (min digit (bits - (p * digit)))
      done;
      if passes land 1 = 1 then Array.blit b 0 a 0 n
    end
