open Domainslib

let rec longest pool words low high =
  if high - low < 1000 then (
    let last = ref "" in
    for i = low to high do
      if String.length words.(i) > String.length !last then last := words.(i)
    done;
    !last)
  else
    let middle = (low + high) / 2 in
    let left = Task.async pool (fun () -> longest pool words low middle) in
    let right = Task.async pool (fun () -> longest pool words (middle + 1) high) in
    let left = Task.await pool left and right = Task.await pool right in
    if String.length right > String.length left then right else left

let () =
  let pool = Task.setup_pool ~num_domains:(Domain.recommended_domain_count () - 1) () in
  let words = Array.make 100_000 "" in
  Task.run pool (fun () ->
      Task.parallel_for pool ~chunk_size:1000 ~start:0 ~finish:99_999 ~body:(fun i ->
          words.(i) <- String.make (i * 7919 mod 99_991 mod 60) 'x');
      let letters =
        Task.parallel_for_reduce pool ( + ) 0 ~start:0 ~finish:99_999 ~body:(fun i -> String.length words.(i))
      in
      Printf.printf "%d letters, the longest word has %d\n" letters
        (String.length (longest pool words 0 99_999)));
  Task.teardown_pool pool
