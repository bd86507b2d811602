(* $MDX part-begin=book *)
(* The primes up to [n]. *)
let rec primes n =
  if n < 2 then [||]
  else begin
    let is_prime = Bytes.make (n + 1) '\001' in
    Weft.Array.iter
      (fun p ->
        Weft.parallel_for ~start:p ~finish:(n / p) ~body:(fun k -> Bytes.set is_prime (k * p) '\000') ())
      (primes (int_of_float (sqrt (float_of_int n))));
    Weft.Seq.(of_range 2 n |> filter (fun i -> Bytes.get is_prime i = '\001') |> to_array)
  end
(* $MDX part-end *)

(* {1 Sequential} *)

(* The indices from [first] to [last] that are marked, with [shift] added. *)
let marked marks ~first ~last ~shift =
  let count = ref 0 in
  for i = first to last do
    if Bytes.unsafe_get marks i = '\001' then incr count
  done;
  let found = Array.make !count 0 in
  count := 0;
  for i = first to last do
    if Bytes.unsafe_get marks i = '\001' then begin
      found.(!count) <- i + shift;
      incr count
    end
  done;
  found

let rec sequential n =
  if n < 2 then [||]
  else begin
    let is_prime = Bytes.make (n + 1) '\001' in
    let small = sequential (int_of_float (sqrt (float_of_int n))) in
    for s = 0 to Array.length small - 1 do
      let p = small.(s) in
      for k = p to n / p do
        Bytes.set is_prime (k * p) '\000'
      done
    done;
    marked is_prime ~first:2 ~last:n ~shift:0
  end

let segment = 1 lsl 17

(* In segments that fit into the cache. [map n f] is [f 0], ..., [f (n - 1)], in any order. *)
let by_segments map =
  let rec primes n =
    if n < 1_000 then sequential n
    else
      let small = primes (int_of_float (sqrt (float_of_int n))) in
      let primes_of b =
        let lo = b * segment in
        let last = Int.min n (lo + segment - 1) - lo in
        let is_prime = Bytes.make segment '\001' in
        if b = 0 then Bytes.fill is_prime 0 2 '\000';
        for s = 0 to Array.length small - 1 do
          let p = small.(s) in
          let i = ref (Int.max (p * p) ((lo + p - 1) / p * p) - lo) in
          while !i <= last do
            Bytes.unsafe_set is_prime !i '\000';
            i := !i + p
          done
        done;
        marked is_prime ~first:0 ~last ~shift:lo
      in
      map ((n / segment) + 1) primes_of
  in
  primes

let best_sequential = by_segments (fun n f -> Array.concat (List.init n f))

(* {1 By hand} *)

let by_hand =
  by_segments (fun n f ->
      let parts = Array.make n [||] in
      Weft.parallel_for ~chunk_size:1 ~start:0 ~finish:(n - 1) ~body:(fun b -> parts.(b) <- f b) ();
      Weft.Array.flatten parts)

let benchmark =
  Textbook.benchmark ~name:"sieve" ~doc:"the prime numbers up to a number" ~size_doc:"that number"
    ~size:20_000_000 ~quick:1_000_000 ~input:Fun.id ~digest:Same_result.ints
    { best_sequential; sequential; book = primes; by_hand }
