(* Primes by trial division, counted by a reduction; then a sieve by segments. *)

module T = Domainslib.Task

let is_prime n =
  let rec none_from d = d * d > n || (n mod d <> 0 && none_from (d + 2)) in
  n = 2 || (n > 2 && n land 1 = 1 && none_from 3)

let sieve pool limit =
  let root = int_of_float (sqrt (float limit)) in
  let small = List.filter is_prime (List.init (root + 1) Fun.id) in
  let width = 1 lsl 14 in
  let segment s =
    let low = s * width and high = min limit (((s + 1) * width) - 1) in
    let composite = Bytes.make width '\000' in
    let strike p =
      let multiple = ref (max (p * p) ((low + p - 1) / p * p)) in
      while !multiple <= high do
        Bytes.set composite (!multiple - low) '\001';
        multiple := !multiple + p
      done
    in
    List.iter strike small;
    let found = ref 0 in
    for n = max 2 low to high do
      if Bytes.get composite (n - low) = '\000' then incr found
    done;
    !found
  in
  T.parallel_for_reduce pool ( + ) 0 ~start:0 ~finish:(limit / width) ~body:segment

let run ~domains ~size =
  let pool = T.setup_pool ~num_domains:(domains - 1) () in
  let divided, sieved =
    T.run pool (fun () ->
        let one n = if is_prime n then 1 else 0 in
        ( T.parallel_for_reduce pool ( + ) 0 ~chunk_size:100 ~start:1 ~finish:size ~body:one,
          sieve pool (size * 10) ))
  in
  T.teardown_pool pool;
  Printf.printf "primes up to %d: %d, up to %d: %d\n" size divided (size * 10) sieved
