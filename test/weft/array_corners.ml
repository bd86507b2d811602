open Support
open Random_arrays
module A = Weft.Array

(* Functions of arrays where something that nearly always holds does not. *)

(* OCaml's functions copy an [Obj.t array] that begins with a float as it is: it is not flat. *)
let any_values () =
  let check n =
    let made n value =
      let a = Array.make n (Obj.repr 0) in
      Array.iteri (fun i _ -> a.(i) <- value i) a;
      a
    in
    let a = made n (fun i -> if i land 1 = 0 then Obj.repr (float i) else Obj.repr (string_of_int i)) in
    let same name expected got =
      if not (Array.length expected = Array.length got && Array.for_all2 ( == ) expected got) then
        Alcotest.failf "%s, %d elements" name n
    in
    let even = Array.init n (fun i -> i land 1 = 0) in
    let reversed = made n (fun i -> a.(n - 1 - i)) in
    let index x =
      if Obj.tag x = Obj.double_tag then int_of_float (Obj.obj x) else int_of_string (Obj.obj x)
    in
    let is_even x = index x land 1 = 0 and equal _ _ = 0 in
    let changed f =
      let b = Array.copy a in
      f b;
      b
    in
    same "copy" a (A.copy a);
    same "sub" (Array.sub a 2 (n - 2)) (A.sub a 2 (n - 2));
    same "append" (Array.append a a) (A.append a a);
    same "append to nothing" a (A.append [||] a);
    same "concat" (Array.append a a) (A.concat [ [||]; a; a ]);
    same "rev" reversed (A.rev a);
    same "rotate" (Array.append (Array.sub a 2 (n - 2)) (Array.sub a 0 2)) (A.rotate 2 a);
    same "filter" (made (n / 2) (fun i -> a.(2 * i))) (A.filter is_even a);
    same "pack" (made (n / 2) (fun i -> a.((2 * i) + 1))) (A.pack (Array.map not even) a);
    same "merge" (Array.append a a) (A.merge equal a a);
    same "sorted" a (A.sorted equal a);
    same "dedup" a (A.dedup (fun _ _ -> -1) a);
    same "integer_sort" reversed (changed (A.integer_sort ~key:(fun x -> -index x)));
    let shuffled = changed (A.shuffle (Weft.Random.make 1)) in
    same "shuffle" a (changed (fun b -> Array.iter (fun x -> b.(index x) <- x) shuffled))
  in
  everywhere @@ fun () -> List.iter check [ 4; 1000; 5000; 70_000 ]

(* A pool of one worker is not always one domain at a time: while a task blocks its thread, and others wait, an
   extra worker comes. It takes the fibers that have yielded; so does the first worker, when it goes on. *)
let counted_by_two () =
  let count n =
    Weft.Pool.with_pool ~domains:1 @@ fun pool ->
    let blocked = Atomic.make false in
    let block () = Thread.join (Thread.create (fun () -> Weft.Pool.run pool ignore) ()) in
    let bucket i =
      if i mod 20_000 = 0 then begin
        Weft.yield ();
        if not (Atomic.exchange blocked true) then block ()
      end;
      0
    in
    let a = Array.init n Fun.id in
    Alcotest.(check (array int))
      "all" [| n |]
      (Weft.Pool.run pool (fun () -> A.histogram ~buckets:1 bucket a))
  in
  for _ = 1 to tries 10 do
    count 4_000_000
  done

let tests =
  [
    case "arrays of values of several types" any_values;
    case "one worker and an extra one count each element" counted_by_two;
  ]
