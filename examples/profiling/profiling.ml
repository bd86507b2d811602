(* profiling CASE [SIZE]: small programs, each slow for another reason; doc/profiling.md finds the reasons. *)

let rec fib n =
  if n < 2 then n
  else
    let a, b = Weft.par (fun () -> fib (n - 1)) (fun () -> fib (n - 2)) in
    a + b

(* Works for about [n] microseconds, without allocating; the work is not optimised away. *)
let work n =
  let x = ref 1 in
  for _ = 1 to n * 1000 do
    x := (!x * 0x5DEECE66D) + 11
  done;
  if !x = 0 then 1 else 0

(* This case has no fault. *)
let balanced size = fib (24 + size)

(* The expensive iterations are the last ones, and one chunk holds all of them: the worker that gets it
   works alone at the end. *)
let chunk size =
  let n = 1_000 and done_ = Atomic.make 0 in
  Weft.parallel_for ~chunk_size:250 ~start:1 ~finish:n
    ~body:(fun i ->
      ignore (work (if i > n - 250 then 40 * size else 4) : int);
      Atomic.incr done_)
    ();
  Atomic.get done_

(* All tasks hold the same lock nearly all the time. *)
let lock size =
  let mutex = Weft.Mutex.create () and sum = ref 0 in
  Weft.parallel_for ~chunk_size:1 ~start:1 ~finish:(100 * size)
    ~body:(fun i ->
      Weft.Mutex.protect mutex (fun () ->
          sum := !sum + i;
          ignore (work 200 : int)))
    ();
  !sum

(* Builds and drops lists all the time. *)
let gc size =
  Weft.parallel_for_reduce ~start:1 ~finish:(40 * size)
    ~body:(fun i -> List.length (List.rev_map succ (List.init 20_000 (fun j -> i + j))))
    ( + ) 0

(* [cells.(places.(i))] counts for task [i]. *)
let count_in cells places size =
  let one place =
    for _ = 1 to 1_000_000 * size do
      Array.unsafe_set cells place (Array.unsafe_get cells place +. 1.)
    done
  in
  Weft.parallel_for ~chunk_size:1 ~start:0
    ~finish:(Array.length places - 1)
    ~body:(fun i -> one places.(i))
    ();
  Float.to_int (Array.fold_left (fun sum place -> sum +. cells.(place)) 0. places)

(* Neighbouring floats of one array, each written by one task: they are on one cache line, which moves
   between the processors. *)
let sharing size = count_in (Array.make 64 0.) [| 0; 1; 2; 3 |] size

(* The same, two cache lines apart, and as far from what is before and after the array. *)
let spread size = count_in (Array.make 96 0.) [| 16; 32; 48; 64 |] size

let cases =
  [
    ("balanced", balanced);
    ("chunk", chunk);
    ("lock", lock);
    ("gc", gc);
    ("sharing", sharing);
    ("spread", spread);
  ]

let run size (name, f) = Printf.printf "%s: %d\n%!" name (Weft.Trace.region name (fun () -> f size))

let () =
  let size = match Sys.argv with [| _; _; size |] -> int_of_string size | _ -> 10 in
  match Sys.argv with
  | [| _; "all" |] | [| _; "all"; _ |] -> Weft.run (fun () -> List.iter (run size) cases)
  | ([| _; name |] | [| _; name; _ |]) when List.mem_assoc name cases ->
      Weft.run (fun () -> run size (name, List.assoc name cases))
  | _ ->
      prerr_endline ("usage: profiling all | " ^ String.concat " | " (List.map fst cases) ^ " [SIZE]");
      exit 2
