(* A program written for OCaml's modules uses Weft after three more lines. *)
module Array = Weft.Array
module List = Weft.List
module Floats = Weft.Floatarray

let ints l = print_endline (String.concat " " (List.map string_of_int l))
let even n = n mod 2 = 0
let names = [ ("one", 1); ("two", 2); ("three", 3) ]

(* Lists. These call their functions in parallel. *)
let () =
  let l = List.init 8 succ in
  ints (List.rev_map (fun n -> n * n) l);
  ints (List.rev_map2 ( - ) l (List.rev l));
  ints (List.find_all even l);
  ints (List.filteri (fun i n -> even i && n > 2) l);
  let small, large = List.partition_map (fun n -> if n < 4 then Either.Left n else Right (10 * n)) l in
  ints small;
  ints large;
  ints (List.filter_mapi (fun i n -> if even i then Some (i * n) else None) l);
  let squares, odd = List.split_map (fun n -> (n * n, not (even n))) l in
  ints squares;
  Printf.printf "%b\n" (List.memq true odd);
  let seen = Atomic.make 0 in
  List.iter2 (fun n m -> ignore (Atomic.fetch_and_add seen (n * m) : int)) l l;
  Printf.printf "%d %b %b\n" (Atomic.get seen) (List.for_all2 ( = ) l l) (List.exists2 ( <> ) l l);
  Printf.printf "%d %d\n"
    (Option.get (List.find_index (fun n -> n > 5) l))
    (Option.get (List.find_mapi (fun i n -> if i * n > 20 then Some (i * n) else None) l))

(* And these are OCaml's own. *)
let () =
  let l = List.cons 5 [ 3; 1; 4 ] in
  let whole = List.append l (List.flatten [ [ 1 ]; [ 5 ] ]) in
  ints (List.rev_append l (List.concat [ whole; [] ]));
  ints (List.take 2 l @ List.drop 3 l @ List.singleton 9);
  ints (List.take_while (fun n -> n > 2) l @ List.drop_while (fun n -> n > 2) l);
  Printf.printf "%d %d %d %b\n" (List.length l) (List.hd (List.tl l)) (List.nth l 2) (List.nth_opt l 7 = None);
  Printf.printf "%b %d %d\n" (List.is_empty l) (List.compare_lengths l whole) (List.compare_length_with l 4);
  Printf.printf "%b %d %b\n" (List.equal Int.equal l l) (List.compare Int.compare l whole)
    (List.memq 3 (List.merge Int.compare [ 1; 3 ] [ 2 ]));
  Printf.printf "%d %d\n" (List.fold_left ( - ) 0 l) (List.fold_right ( - ) l 0);
  Printf.printf "%d %d\n"
    (List.fold_left2 (fun s n m -> s + (n * m)) 0 l l)
    (List.fold_right2 (fun n m s -> s - (n * m)) l l 0);
  ints (snd (List.fold_left_map (fun s n -> (s + n, s + n)) 0 l));
  Printf.printf "%d %b %d %b\n" (List.assoc "two" names)
    (List.assoc_opt "four" names = None)
    (List.assq 2 [ (2, 20) ])
    (List.assq_opt 3 [ (2, 20) ] = None);
  Printf.printf "%b %b %d\n" (List.mem_assoc "one" names)
    (List.mem_assq 2 [ (2, 20) ])
    (List.length (List.remove_assq 2 [ (2, 20) ]));
  let words, numbers = List.split (List.remove_assoc "two" names) in
  Printf.printf "%d\n" (List.length (List.combine words numbers));
  ints (List.of_seq (List.to_seq numbers))

(* Arrays. *)
let () =
  let table = Array.init_matrix 2 3 (fun i j -> (10 * i) + j) in
  ints (Array.to_list table.(1));
  Printf.printf "%d\n" (Array.length (Array.make_matrix 4 5 0));
  let a = [| 3; 1; 2 |] in
  Printf.printf "%b %b\n" (Array.exists2 ( = ) a [| 1; 1; 1 |]) (Array.for_all2 ( >= ) a [| 1; 1; 1 |]);
  ints (Array.to_list (snd (Array.fold_left_map (fun s n -> (s + n, s + n)) 0 a)));
  Seq.iter (fun (i, n) -> Printf.printf "%d:%d " i n) (Array.to_seqi a);
  print_newline ()

(* Float arrays. *)
let () =
  let print a = print_endline (String.concat " " (List.map string_of_float (Floats.to_list a))) in
  let a = Floats.of_list [ 4.; 9.; 1. ] in
  Floats.map_inplace sqrt a;
  Floats.mapi_inplace (fun i x -> x +. float i) a;
  print a;
  let sum = Atomic.make 0 in
  Floats.iter2 (fun x y -> ignore (Atomic.fetch_and_add sum (int_of_float (x *. y)) : int)) a a;
  Printf.printf "%d %g %g\n" (Atomic.get sum) (Floats.fold_left ( -. ) 0. a) (Floats.fold_right ( -. ) a 0.);
  Printf.printf "%b %b\n" (Floats.mem 4. a) (Floats.mem_ieee nan a);
  Printf.printf "%g %g %d\n"
    (Option.get (Floats.find_opt (fun x -> x > 2.) a))
    (Option.get (Floats.find_map (fun x -> if x > 2. then Some (-.x) else None) a))
    (Option.get (Floats.find_mapi (fun i x -> if x > 2. then Some i else None) a));
  Floats.shuffle ~rand:(fun n -> n - 1) a;
  Floats.stable_sort (fun x y -> Float.compare y x) a;
  print a;
  Floats.fast_sort Float.compare a;
  print (Floats.of_seq (Floats.to_seq a));
  Seq.iter (fun (i, x) -> Printf.printf "%d:%g " i x) (Floats.to_seqi a);
  print_newline ();
  print (Floats.map_from_array float [| 1; 2 |]);
  print (Floats.init_matrix 2 2 (fun i j -> float (i + j))).(1);
  print (Floats.make_matrix 2 2 0.5).(0)

(* Sequences: these have OCaml's names and types, but are not OCaml's sequences. *)
let () =
  let open Weft in
  let list s = ints (Seq.to_list s) in
  let s = Seq.cons 7 (Seq.of_range 1 3) in
  list s;
  Printf.printf "%b %d %d\n" (Seq.is_empty s) (Seq.fold_left ( - ) 0 s)
    (Seq.fold_lefti (fun sum i n -> sum + (i * n)) 0 s);
  Printf.printf "%d %d\n"
    (Option.get (Seq.find_index even s))
    (Option.get (Seq.find_mapi (fun i n -> if even n then Some (i, n) else None) s) |> fst);
  list (Seq.concat_map (fun n -> Seq.of_range 1 n) (Seq.of_range 1 3));
  list (Seq.map_product ( * ) s (Seq.of_range 1 2));
  Printf.printf "%d\n" (Seq.length (Seq.product s s));
  let evens, odds = Seq.partition_map (fun n -> if even n then Either.Left n else Right n) s in
  list evens;
  list odds;
  let evens, odds = Seq.partition even s in
  Printf.printf "%d %d\n" (Seq.length evens) (Seq.sum odds);
  (* Two sequences in step, up to the end of the shorter. *)
  let r = Seq.of_range 1 9 and sum = Atomic.make 0 in
  Seq.iter2 (fun n m -> ignore (Atomic.fetch_and_add sum (n * m) : int)) s r;
  Printf.printf "%d %d %b %b\n" (Atomic.get sum)
    (Seq.fold_left2 (fun sum n m -> sum + n - m) 0 s r)
    (Seq.exists2 ( = ) s r)
    (Seq.for_all2 (fun n m -> n <= m + 6) s r);
  let left, right = Seq.unzip (Seq.map (fun n -> (n, -n)) s) in
  list left;
  list right;
  list (fst (Seq.split (Seq.return (1, 2))));
  (* The caller alone computes these elements, at once. *)
  list (Seq.unfold (fun n -> if n = 0 then None else Some (n, n / 2)) 20);
  let next = Seq.to_dispenser s in
  ignore (next () : int option);
  list (Seq.of_dispenser next);
  (* Computed at the first use, and kept for later ones. *)
  let kept = Seq.memoize (Seq.map (fun n -> n * n) s) in
  Printf.printf "%d %d\n" (Seq.sum kept) (Seq.sum kept)

(* Parts of arrays have names of their own, so that the others fit signatures written for OCaml's. *)
module type ITERABLE = sig
  type 'a t

  val iter : ('a -> unit) -> 'a t -> unit
  val exists : ('a -> bool) -> 'a t -> bool
end

module Sum (C : ITERABLE) = struct
  let of_evens c =
    let sum = Atomic.make 0 in
    if C.exists even c then C.iter (fun n -> if even n then ignore (Atomic.fetch_and_add sum n : int)) c;
    Atomic.get sum
end

module Sum_of_array = Sum (Array)
module Sum_of_list = Sum (List)

let () = Printf.printf "%d %d\n" (Sum_of_array.of_evens [| 1; 2; 4 |]) (Sum_of_list.of_evens [ 3; 8 ])

let () =
  let a = Array.init 10 (fun i -> 7 * i mod 10) and sum = Atomic.make 0 in
  let add n = ignore (Atomic.fetch_and_add sum n : int) in
  Array.iter_sub ~pos:2 ~len:3 add a;
  Array.iteri_sub ~len:2 (fun i n -> add (i * n)) a;
  Array.map_inplace_sub ~pos:8 succ a;
  Array.mapi_inplace_sub ~len:2 (fun i n -> i + n) a;
  Printf.printf "%d\n" (Atomic.get sum);
  ints (Array.to_list a);
  Printf.printf "%b %b %b %b\n" (Array.exists_sub ~pos:5 even a) (Array.for_all_sub ~pos:5 even a)
    (Array.mem_sub ~len:3 9 a) (Array.memq_sub ~len:3 4 a);
  Printf.printf "%d %d %d %d\n"
    (Option.get (Array.find_opt_sub ~pos:3 even a))
    (Option.get (Array.find_index_sub ~pos:3 even a))
    (Option.get (Array.find_map_sub ~pos:3 (fun n -> if n > 4 then Some (-n) else None) a))
    (Option.get (Array.find_mapi_sub ~pos:3 (fun i n -> if n > 4 then Some i else None) a));
  let f = Floats.map_from_array float a in
  Floats.iter_sub ~pos:8 (fun x -> add (int_of_float x)) f;
  Floats.iteri_sub ~pos:8 (fun i _ -> add i) f;
  Printf.printf "%d %b %b %d\n" (Atomic.get sum)
    (Floats.exists_sub ~len:3 (fun x -> x > 8.) f)
    (Floats.for_all_sub ~len:3 (fun x -> x > 8.) f)
    (Option.get (Floats.find_index_sub ~pos:5 (fun x -> x > 1.) f))

(* Time limits have names of their own, too. *)
let () =
  let m = Weft.Mutex.create () and ready = Weft.Condition.create () in
  Weft.Mutex.lock_timeout 10. m;
  (match Weft.Condition.wait_timeout 0.001 ready m with
  | () -> ()
  | exception Weft.Cancel.Timeout -> print_endline "nobody signalled");
  Weft.Mutex.unlock m

(* The new names beside older ones of Weft: One name, one meaning, in doc/rationale.md. *)
let () =
  let open Weft in
  let sums a = print_endline (String.concat " " (Stdlib.List.map string_of_int (Array.to_list a))) in
  sums (Array.scan_inclusive ( + ) [| 1; 2; 3 |]);
  sums (Seq.to_array (Seq.scan_inclusive ( + ) (Seq.of_range 1 4)));
  sums (Seq.to_array (Seq.concat_list [ Seq.of_range 1 2; Seq.return 7 ]));
  sums (Seq.to_array (Seq.flatten (Seq.map Seq.return (Seq.of_range 1 3))));
  Printf.printf "%b %b\n"
    (Seq.min_opt Int.compare Seq.empty = None)
    (Seq.max_opt Int.compare (Seq.of_range 1 3) = Some 3);
  let a = Floatarray.of_list [ 2.; 3.; 1. ] in
  Printf.printf "%g\n" (Floatarray.get (Floatarray.scan_inclusive ( +. ) a) 2);
  Floatarray.sort_floats a;
  Printf.printf "%b %b\n" (Floatarray.min_opt a = Some 1.) (Floatarray.max_opt ~len:0 a = None);
  let c = Chan.bounded 1 in
  let first = Chan.try_send c 1 in
  Printf.printf "%b %b\n" first (Chan.try_send c 2);
  let first = Chan.try_recv c in
  Printf.printf "%b %b\n" (first = Some 1) (Chan.try_recv c = None);
  Printf.printf "%b\n" (Select.try_select [ Select.recv c Fun.id ] = None);
  Printf.printf "%b\n" (Select.try_select_in_order [ Select.always 1; Select.always 2 ] = Some 1);
  let news = Broadcast.create 4 in
  let reader = Broadcast.subscribe news in
  Broadcast.send news "hello";
  Printf.printf "%b\n" (Broadcast.try_recv reader = Some "hello")
