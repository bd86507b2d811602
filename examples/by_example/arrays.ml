let ints a = print_endline (String.concat " " (List.map string_of_int (Array.to_list a)))
let even n = n mod 2 = 0

let () =
  let a = Weft.Array.init 10 (fun i -> 7 * i mod 10) in
  ints a;
  (* In OCaml's order and names. *)
  ints (Weft.Array.append (Weft.Array.sub a 0 3) (Weft.Array.make 2 5));
  ints (Weft.Array.concat [ a; [| 1 |] ]);
  ints (Weft.Array.flatten [| [| 1; 2 |]; [||]; [| 3 |] |]);
  ints (Weft.Array.of_seq (Seq.take 3 (Weft.Array.to_seq a)));
  let b = Weft.Array.rev a in
  Weft.Array.blit a 0 b 2 3;
  Weft.Array.fill b 0 2 9;
  ints b;
  let c = Weft.Array.copy b in
  Weft.Array.set c 0 7;
  Printf.printf "%d %d\n" (Weft.Array.get b 0) (Weft.Array.get c 0);
  ints (Weft.Array.of_list [ 3; 1; 2 ]);
  ints (Weft.Array.mapi ( + ) a);
  ints (Weft.Array.map2 ( - ) a b);
  Weft.Array.map_inplace succ b;
  Weft.Array.mapi_inplace ( * ) b;
  ints b;
  let total = Atomic.make 0 in
  let add n = ignore (Atomic.fetch_and_add total n : int) in
  Weft.Array.iter add a;
  Weft.Array.iteri (fun i x -> add (i * x)) a;
  Weft.Array.iter2 (fun x y -> add (x * y)) a b;
  Printf.printf "%d\n" (Atomic.get total);
  let left, right = Weft.Array.split (Weft.Array.combine a b) in
  Printf.printf "%b\n" (left = a && right = b);
  Weft.Array.rev_inplace b;
  ints (Weft.Array.rotate 3 b);
  (* What is kept. *)
  ints (Weft.Array.filteri (fun i x -> i > x) a);
  let large = Weft.Array.map (fun x -> x > 4) a in
  ints (Weft.Array.pack large a);
  ints (Weft.Array.pack_index large);
  ints (Weft.Array.filter even a);
  ints (Weft.Array.filter_map (fun n -> if even n then Some (n * n) else None) a);
  let evens, odds = Weft.Array.partition even a in
  ints (Weft.Array.flat_map (fun n -> [| n; n |]) (Weft.Array.append odds evens));
  (* One value of many. *)
  Printf.printf "%d %d %s %s\n" (Weft.Array.reduce ( + ) 0 a)
    (Weft.Array.fold ~combine:( + ) (fun n x -> n + (x * x)) 0 a)
    (Weft.Array.fold_left (fun s n -> s ^ string_of_int n) "" a)
    (Weft.Array.fold_right (fun n s -> s ^ string_of_int n) a "");
  Printf.printf "%d %d\n" (Weft.Array.min Int.compare a) (Weft.Array.max Int.compare a);
  Printf.printf "%b %b\n"
    (Weft.Array.min_opt Int.compare [||] = None)
    (Weft.Array.max_opt Int.compare a = Some 9);
  Printf.printf "%d %d\n" (Weft.Array.min_index Int.compare a) (Weft.Array.max_index Int.compare a);
  let least, greatest = Weft.Array.minmax Int.compare a in
  Printf.printf "%d %d\n" least greatest;
  Printf.printf "%b %d %d\n" (Weft.Array.equal Int.equal a a)
    (Weft.Array.compare Int.compare [| 1; 2 |] [| 1; 3 |])
    (Option.get (Weft.Array.mismatch Int.equal [| 1; 2; 3 |] [| 1; 2 |]));
  Printf.printf "%b\n" (Weft.Array.for_none (fun n -> n > 9) a);
  ints (Weft.Array.histogram ~buckets:3 (fun n -> n mod 3) a);
  (* Is there, and where? *)
  Printf.printf "%b %b %b %b\n" (Weft.Array.exists even a) (Weft.Array.for_all even a) (Weft.Array.mem 7 a)
    (Weft.Array.memq 11 a);
  Printf.printf "%d\n" (Weft.Array.find (fun n -> n > 4) a);
  Printf.printf "%b\n" (Weft.Array.find_opt (fun n -> n > 10) a = None);
  Printf.printf "%s\n" (Option.get (Weft.Array.find_map (fun n -> if n > 8 then Some "nine" else None) a));
  Printf.printf "%d\n"
    (Option.get (Weft.Array.find_mapi (fun i n -> if i > 0 && i = n then Some i else None) a))

(* By key: by hash, in the order of the first occurrences. *)
let () =
  let words = [| "warp"; "weft"; "warp"; "loom"; "weft"; "warp" |] in
  print_endline (String.concat " " (Array.to_list (Weft.Array.remove_duplicates words)));
  let print (word, n) = Printf.printf "%s: %d\n" word n in
  Array.iter print (Weft.Array.histogram_by_key ~key:Fun.id words);
  let pairs = Array.mapi (fun i word -> (word, i)) words in
  Array.iter print (Weft.Array.reduce_by_key max pairs);
  Array.iter
    (fun (word, places) ->
      Printf.printf "%s at " word;
      ints places)
    (Weft.Array.group_by_key pairs);
  (* With functions of one's own, as those of a [Hashtbl.HashedType]. *)
  let hash s = Hashtbl.hash (String.lowercase_ascii s)
  and equal s t = String.lowercase_ascii s = String.lowercase_ascii t in
  print_endline
    (String.concat " "
       (Array.to_list (Weft.Array.remove_duplicates ~hash ~equal [| "Warp"; "warp"; "WEFT" |])));
  let lengths = Weft.Array.group_by ~equal:Int.equal ~key:String.length [| "a"; "bc"; "d" |] in
  Array.iter (fun (n, group) -> Printf.printf "%d: %s\n" n (String.concat "," (Array.to_list group))) lengths;
  (* By index: the largest even and the largest odd number. *)
  ints (Weft.Array.reduce_by_index ~buckets:2 max 0 (Array.map (fun n -> (n mod 2, n)) [| 4; 7; 2; 9 |]))

let () =
  let a = Array.init 10 (fun i -> 7 * i mod 10) in
  (* Prefix sums, order. *)
  ints (Weft.Array.scan ( + ) a);
  ints (Weft.Array.prefix_sums a);
  ints (Weft.Array.scan_exclusive ( + ) 0 a);
  ints (Weft.parallel_scan_exclusive max 0 a);
  let before, total = Weft.Array.scan_total ( + ) 0 a in
  ints before;
  let b = Weft.Array.copy a in
  Printf.printf "%d %d\n" total (Weft.Array.scan_exclusive_inplace ( + ) 0 b);
  Weft.Array.scan_inplace max b;
  ints b;
  Weft.Array.stable_sort (fun x y -> Int.compare (x mod 3) (y mod 3)) a;
  ints a;
  Weft.Array.fast_sort Int.compare a;
  ints a;
  ints (Weft.Array.sorted (fun x y -> Int.compare y x) a);
  Weft.Array.integer_sort ~key:(fun x -> x mod 4) a;
  ints a;
  ints (Weft.Array.counting_sort ~buckets:3 ~key:(fun x -> x mod 3) a);
  ints a;
  Weft.Array.sort_by_key ~key:string_of_int String.compare a;
  Printf.printf "%b %d\n" (Weft.Array.is_sorted Int.compare a)
    (Weft.Array.kth_smallest Int.compare 1 [| 5; 7; 6 |]);
  ints (Weft.Array.rank Int.compare [| 50; 10; 30 |]);
  ints (Weft.Array.sort_uniq Int.compare [| 3; 1; 3; 2; 1 |]);
  ints (Weft.Array.dedup Int.compare [| 1; 1; 2; 1 |]);
  ints (Weft.Array.merge Int.compare [| 1; 4; 6 |] [| 2; 4; 9 |]);
  Weft.Array.shuffle (Weft.Random.make 1) a;
  Weft.Array.sort Int.compare a;
  ints a

let floats a =
  print_endline
    (String.concat " " (List.map (Printf.sprintf "%g") (Array.to_list (Weft.Floatarray.to_array a))))

let () =
  let a = Weft.Floatarray.init 6 (fun i -> float (3 * i mod 7)) in
  floats a;
  floats (Weft.Floatarray.append (Weft.Floatarray.sub a 0 2) (Weft.Floatarray.make 2 0.5));
  floats (Weft.Floatarray.concat [ a; Weft.Floatarray.of_array (Weft.Array.map float [| 1; 2 |]) ]);
  let b = Weft.Floatarray.copy a in
  Weft.Floatarray.set b 0 9.;
  Weft.Floatarray.blit a 1 b 2 2;
  Weft.Floatarray.fill b 5 1 (Weft.Floatarray.get b 0);
  floats b;
  floats (Weft.Floatarray.map sqrt b);
  floats (Weft.Floatarray.mapi (fun i x -> float i *. x) b);
  floats (Weft.Floatarray.map2 ( +. ) a b);
  print_endline (String.concat "," (Weft.Array.to_list (Weft.Floatarray.map_to_array string_of_float a)));
  floats (Weft.Floatarray.map_of_array float_of_int [| 1; 2 |]);
  let sum = Atomic.make 0 in
  Weft.Floatarray.iter (fun x -> ignore (Atomic.fetch_and_add sum (truncate x) : int)) a;
  Weft.Floatarray.iteri (fun i _ -> ignore (Atomic.fetch_and_add sum i : int)) a;
  Printf.printf "%d %d\n" (Atomic.get sum)
    (Weft.Floatarray.length (Weft.Floatarray.filter (fun x -> x > 3.) a));
  Printf.printf "%g %g %g %g\n" (Weft.Floatarray.sum a) (Weft.Floatarray.dot a b) (Weft.Floatarray.min a)
    (Weft.Floatarray.max a);
  Printf.printf "%g %g\n" (Weft.Floatarray.reduce ( *. ) 1. b)
    (Weft.Floatarray.fold ~combine:( +. ) (fun s x -> s +. (x *. x)) 0. b);
  Printf.printf "%d %b %b %d\n"
    (Weft.Floatarray.count (fun x -> x > 3.) a)
    (Weft.Floatarray.exists (fun x -> x = 6.) a)
    (Weft.Floatarray.for_all (fun x -> x < 7.) a)
    (Option.get (Weft.Floatarray.find_index (fun x -> x = 6.) a));
  floats (Weft.Floatarray.scan ( +. ) a);
  floats (Weft.Floatarray.prefix_sums a);
  floats (Weft.Floatarray.scan_exclusive ( +. ) 0. a);
  ints (Weft.Floatarray.rank a);
  floats (Weft.Floatarray.sorted a);
  Weft.Floatarray.sort a;
  Printf.printf "%b %g\n" (Weft.Floatarray.is_sorted a) (Weft.Floatarray.kth_smallest 2 a);
  floats a;
  (* Not initialised, and without a look at the bounds: for who fills it all. *)
  let c = Weft.Floatarray.create 2 and d = Weft.Array.create_float 2 in
  Weft.parallel_for ~start:0 ~finish:1
    ~body:(fun i ->
      Weft.Floatarray.unsafe_set c i (Weft.Floatarray.unsafe_get a i);
      Weft.Array.unsafe_set d i (Weft.Array.unsafe_get [| 1.; 2. |] i))
    ();
  floats c;
  Printf.printf "%g %d\n" (Weft.Array.get d 1) (Weft.Array.length d);
  Weft.Array.set d 0 5.;
  Printf.printf "%g\n" d.(0)

let () =
  (* Integers that many tasks change at once. *)
  let counts = Weft.Atomic_array.make 3 0 and nearest = Weft.Atomic_array.make 3 max_int in
  let farthest = Weft.Atomic_array.init 3 (fun _ -> -1)
  and heaviest = Weft.Atomic_array.of_array [| 0; 1; 2 |] in
  let weight i = i * 7 mod 10 in
  Weft.parallel_for ~start:0 ~finish:9
    ~body:(fun i ->
      Weft.Atomic_array.incr counts (i mod 3);
      ignore (Weft.Atomic_array.write_min nearest (i mod 3) (weight i) : bool);
      ignore (Weft.Atomic_array.write_max farthest (i mod 3) (weight i) : bool);
      let better i j = weight i > weight j in
      ignore (Weft.Atomic_array.priority_update ~better heaviest (i mod 3) i : bool))
    ();
  List.iter (fun a -> ints (Weft.Atomic_array.to_array a)) [ counts; nearest; farthest; heaviest ];
  Weft.Atomic_array.decr counts 0;
  Weft.Atomic_array.set counts 1 (Weft.Atomic_array.exchange counts 2 5);
  Printf.printf "%b %d %d %d\n"
    (Weft.Atomic_array.compare_and_set counts 2 5 6)
    (Weft.Atomic_array.fetch_and_add counts 1 10)
    (Weft.Atomic_array.get counts 1) (Weft.Atomic_array.length counts)

(* A loop whose iterations depend on earlier ones, now and then: a maximal independent set of a graph, the one
   that the sequential loop finds. A node comes into the set if none of its earlier neighbours is in it. *)

type state = Undecided | In | Out

let independent_set neighbours =
  let n = Array.length neighbours in
  let states = Array.make n Undecided and decisions = Array.make n Undecided in
  let reserve u =
    let earlier = List.filter (fun v -> v < u) neighbours.(u) in
    decisions.(u) <-
      (if List.exists (fun v -> states.(v) = In) earlier then Out
       else if List.exists (fun v -> states.(v) = Undecided) earlier then Undecided
       else In);
    true
  and commit u =
    states.(u) <- decisions.(u);
    (* If it is still undecided, it is tried again. *)
    states.(u) <> Undecided
  in
  Weft.speculative_for ~start:0 ~finish:(n - 1) ~reserve ~commit ();
  states

let () =
  let ring = Array.init 9 (fun u -> [ (u + 1) mod 9; (u + 8) mod 9 ]) in
  let set = independent_set ring in
  ints (Weft.Array.filter (fun u -> set.(u) = In) (Array.init 9 Fun.id))

(* A maximal matching: an edge reserves its two ends by its number, and the least one wins. *)

let rec lower cell i =
  let was = Atomic.get cell in
  if i < was && not (Atomic.compare_and_set cell was i) then lower cell i

let matching nodes edges =
  let matched = Array.make nodes false and taken = Array.make (Array.length edges) false in
  let cells = Array.init nodes (fun _ -> Atomic.make max_int) in
  let reserve i =
    let u, v = edges.(i) in
    let free = not (matched.(u) || matched.(v)) in
    if free then List.iter (fun u -> lower cells.(u) i) [ u; v ];
    free
  and commit i =
    let u, v = edges.(i) in
    let held = List.filter (fun u -> Atomic.get cells.(u) = i) [ u; v ] in
    if List.length held = 2 then begin
      matched.(u) <- true;
      matched.(v) <- true;
      taken.(i) <- true
    end;
    List.iter (fun u -> Atomic.set cells.(u) max_int) held;
    taken.(i)
  in
  Weft.speculative_for ~start:0 ~finish:(Array.length edges - 1) ~reserve ~commit ();
  taken

let () =
  let edges = [| (0, 1); (1, 2); (2, 3); (3, 4); (4, 0) |] in
  let taken = matching 5 edges in
  ints (Weft.Array.filter (fun i -> taken.(i)) [| 0; 1; 2; 3; 4 |])

(* A body gets a block at a time, where an element takes a nanosecond or two. *)
let () =
  let a = Array.init 1000 Fun.id and b = Array.make 1000 1 in
  let add first last =
    for i = first to last do
      b.(i) <- b.(i) + a.(i)
    done
  and sum first last =
    let sum = ref 0 in
    for i = first to last do
      sum := !sum + b.(i)
    done;
    !sum
  in
  Weft.parallel_for_blocks ~start:0 ~finish:999 ~body:add ();
  Printf.printf "%d\n" (Weft.parallel_for_reduce_blocks ~start:0 ~finish:999 ~body:sum ( + ) 0)
