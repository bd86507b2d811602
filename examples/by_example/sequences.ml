let ints l = print_endline (String.concat " " (List.map string_of_int l))
let even n = n mod 2 = 0

(* Lists: OCaml's functions. *)
let () =
  let l = Weft.List.init 10 (fun i -> 7 * i mod 10) in
  ints (Weft.List.map2 ( + ) l (Weft.List.mapi (fun i _ -> i) l));
  ints (Weft.List.filter even l);
  ints (Weft.List.filter_map (fun n -> if even n then Some (n * n) else None) l);
  ints (Weft.List.concat_map (fun n -> List.init (n mod 3) (fun _ -> n)) l);
  let sum = Atomic.make 0 in
  let add n = ignore (Atomic.fetch_and_add sum n : int) in
  Weft.List.iter add l;
  Weft.List.iteri (fun i n -> add (i * n)) l;
  Printf.printf "%d\n" (Atomic.get sum);
  let evens, odds = Weft.List.partition even l in
  Printf.printf "%d %d %d\n" (List.length evens) (Weft.List.reduce ( + ) 0 odds) (Weft.List.count even l);
  Printf.printf "%d\n" (Weft.List.fold ~combine:( + ) (fun s n -> s + (n * n)) 0 l);
  Printf.printf "%b %b %b %d\n" (Weft.List.exists even odds) (Weft.List.for_all even evens)
    (Weft.List.mem 3 odds)
    (Weft.List.find (fun n -> n > 4) l);
  Printf.printf "%b\n" (Weft.List.find_opt (fun n -> n > 10) l = None);
  Printf.printf "%s\n" (Option.get (Weft.List.find_map (fun n -> if n > 8 then Some "nine" else None) l));
  ints (Weft.List.sort (fun x y -> Int.compare y x) l);
  ints (Weft.List.stable_sort (fun x y -> Int.compare (x mod 3) (y mod 3)) l);
  ints (Weft.List.fast_sort Int.compare l);
  ints (Weft.List.sort_uniq Int.compare (l @ l))

(* Sequences: nothing is computed before somebody asks for a result, and nothing is stored in between. *)
let () =
  let squares = Weft.Seq.init 8 (fun i -> i * i) in
  ints (Weft.Seq.to_list (Weft.Seq.append squares (Weft.Seq.return 100)));
  ints
    (Weft.Seq.to_list
       (Weft.Seq.concat [ Weft.Seq.of_list [ 1; 2 ]; Weft.Seq.empty; Weft.Seq.of_array [| 3 |] ]));
  ints (List.of_seq (Weft.Seq.to_seq (Weft.Seq.mapi ( + ) squares)));
  ints
    (Array.to_list (Weft.Seq.to_array (Weft.Seq.flat_map (fun n -> Weft.Seq.of_range 1 (n mod 3)) squares)));
  ints (Weft.Seq.to_list (Weft.Seq.scan ( + ) squares));
  ints (Weft.Seq.to_list (Weft.Seq.scan_exclusive ( + ) 0 squares));
  Printf.printf "%d %d\n" (Weft.Seq.reduce ( + ) 0 squares) (Weft.Seq.count even squares);
  Printf.printf "%d %d\n"
    (Option.get (Weft.Seq.min_opt Int.compare squares))
    (Option.get (Weft.Seq.max_opt Int.compare squares));
  Printf.printf "%b %b\n" (Weft.Seq.exists even squares) (Weft.Seq.for_all even squares);
  Printf.printf "%d\n" (Option.get (Weft.Seq.find (fun n -> n > 10) squares));
  Printf.printf "%d\n" (Option.get (Weft.Seq.find_map (fun n -> if n > 10 then Some (-n) else None) squares));
  Printf.printf "%g\n" (Float.Array.get (Weft.Seq.to_floatarray (Weft.Seq.map float squares)) 3);
  let sum = Atomic.make 0 in
  Weft.Seq.iter (fun n -> ignore (Atomic.fetch_and_add sum n : int)) squares;
  Printf.printf "%d\n" (Atomic.get sum);
  (* To be used twice, and computed once. *)
  let kept = Weft.Seq.force (Weft.Seq.of_seq (Seq.init 3 succ)) in
  Printf.printf "%d %d\n" (Weft.Seq.sum kept) (Weft.Seq.length kept)

(* Parts of sequences, pairs, neighbours. *)
let () =
  let open Weft.Seq in
  let s = of_range 1 10 in
  ints (to_list (take 3 s));
  ints (to_list (drop 7 s));
  let first, others = split_at 5 s in
  Printf.printf "%d %d\n" (sum first) (reduce max 0 (rev others));
  ints (to_list (step_by 4 s));
  ints (to_list (map (Array.fold_left ( + ) 0) (chunks 4 s)));
  (* Where it rises: each element with the next. *)
  let rises = of_array [| 3; 5; 4; 6; 7 |] |> windows 2 |> map (fun w -> w.(1) > w.(0)) in
  Printf.printf "%d\n" (count Fun.id rises);
  Printf.printf "%d\n" (sum (map2 ( * ) s (rev s)));
  print_endline (concat_strings " " (map (fun (i, c) -> Printf.sprintf "%d%c" i c) (zip s (of_string "abc"))));
  (* Long inner sequences, each of which several tasks may run. *)
  Printf.printf "%d\n" (sum (flatten (map (of_range 1) (of_list [ 1000; 1; 10 ]))))

let () =
  let open Weft.Seq in
  let words = [| "loom"; "weft"; "warp"; "shuttle" |] in
  let s = of_array words in
  iteri (fun i word -> words.(i) <- String.capitalize_ascii word) s;
  Printf.printf "%s %s\n"
    (Option.get (max_by ~key:String.length Int.compare s))
    (Option.get (min_by ~key:String.length Int.compare s));
  Printf.printf "%d\n" (Option.get (find_index (String.equal "Warp") s));
  Printf.printf "%b %b\n" (equal String.equal s (of_list [ "Loom" ])) (compare String.compare s empty > 0);
  let short, long = partition_to_arrays (fun word -> String.length word < 5) s in
  Printf.printf "%d %d\n" (Array.length short) (Array.length long);
  let add total word = if word = "" then Error "an empty word" else Ok (total + String.length word) in
  (match try_fold ~combine:( + ) add 0 s with
  | Ok n -> Printf.printf "%d\n" n
  | Error what -> print_endline what);
  (* Into a set or a map: [fold], whose first value is immutable. *)
  let module Words = Set.Make (String) in
  let set = fold ~combine:Words.union (Fun.flip Words.add) Words.empty (append s s) in
  Printf.printf "%d\n" (Words.cardinal set)

(* Texts in memory: words, lines and fields. A text can be a file, too, mapped by [Text.of_file]. *)
let () =
  let open Weft.Seq in
  let text = Text.of_string "to be,\nor not\tto be\n" in
  Printf.printf "%d bytes, %d lines, %d words\n" (Text.length text)
    (length (Text.lines text))
    (length (Text.tokens text));
  print_endline (concat_strings "|" (Text.split_on_char ',' text |> map String.escaped));
  let vowel c = String.contains "aeiou" c in
  print_endline (to_string (filter vowel (Text.chars text)));
  print_endline (Bytes.to_string (to_bytes (map Char.uppercase_ascii (of_bytes (Bytes.of_string "bytes")))));
  let a = Bigarray.(Array1.init char c_layout 5 (fun i -> "a b c".[i])) in
  print_endline (concat_strings "+" (Text.tokens (Text.of_bigarray a)));
  print_endline (to_string (rev (of_bigarray a)));
  print_endline (concat_strings "-" (Text.tokens (Text.of_bytes (Bytes.of_string "d e"))));
  let program = Text.of_file Sys.executable_name in
  Printf.printf "%b\n" (count (Char.equal '\000') (Text.chars program) > 0)

let () =
  (* The same numbers on any number of domains. *)
  let g = Weft.Random.make 7 in
  let twin = Weft.Random.copy g in
  Printf.printf "%b %b\n"
    (Weft.Random.bits g = Weft.Random.bits twin)
    (Weft.Random.bits64 g = Weft.Random.bits64 twin);
  let die = Weft.Random.int_in_range g ~min:1 ~max:6 and x = Weft.Random.uniform g 2. in
  Printf.printf "%b\n" (die >= 1 && die <= 6 && x < 2.);
  (* By index: whoever asks, in whatever order. *)
  Printf.printf "%b\n"
    (Weft.Random.bits_at g 5 = Weft.Random.bits_at g 5
    && Weft.Random.bits64_at g 5 = Weft.Random.bits64_at g 5
    && Weft.Random.bool_at g 5 = Weft.Random.bool_at g 5);
  let p = Weft.Random.permutation g 10 in
  Weft.Random.shuffle g p;
  Array.sort Int.compare p;
  ints (Array.to_list p)

let () =
  let next = Atomic.make 0 in
  let produce () = if Atomic.get next = 5 then None else Some (Atomic.fetch_and_add next 1) in
  let seen = ref [] in
  let stages =
    Weft.Stage.(
      parallel (fun n -> n * n)
      >>> serial (fun n ->
              seen := n :: !seen;
              n + 1))
  in
  ints (Weft.pipeline_to_list produce stages);
  ints (List.sort Int.compare !seen)
