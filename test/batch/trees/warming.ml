(* Integers that note which keys are searched for, and the bounds on their way. *)
module Noted = struct
  type t = int

  let pairs = ref []

  let compare (a : int) b =
    pairs := (a, b) :: !pairs;
    Int.compare a b

  let noted f =
    pairs := [];
    f ();
    List.rev !pairs
end

module Map = Weft_containers.Avl.Make (Noted)
module Tree = Map.Tree
module Batched = Weft_batch.Split_join.Make (Tree)

let tree_of n =
  let t = Map.create () in
  for i = 1 to n do
    Map.add t (2 * i) i
  done;
  Map.snapshot t

let show pairs = String.concat " " (List.map (fun (a, b) -> Printf.sprintf "%d:%d" a b) pairs)

(* The comparisons with one key, in order. *)
let of_key k pairs = List.filter (fun (a, _) -> a = k) pairs

(* Keys that are not bound: [find_opt] compares the whole way, too. *)
let same_way () =
  let tree = tree_of 1000 in
  let all = List.init 30 (fun i -> (((i * 37) + 11) mod 1000 * 2) + 1) in
  for n = 0 to 30 do
    List.iter
      (fun change ->
        let keys = Array.of_list (List.filteri (fun i _ -> i < n) all) in
        let pairs = Noted.noted (fun () -> Tree.warm tree ~change n (fun i -> keys.(i))) in
        let searched k = Noted.noted (fun () -> ignore (Tree.find_opt tree k : int option)) in
        let compare_way k =
          Alcotest.(check string) "the way of a key" (show (searched k)) (show (of_key k pairs))
        in
        Array.iter compare_way keys;
        let steps = Array.fold_left (fun sum k -> sum + List.length (searched k)) 0 keys in
        Alcotest.(check int) (Printf.sprintf "comparisons with %d keys" n) steps (List.length pairs))
      [ false; true ]
  done

(* No search is a step ahead of the others of its eight. *)
let side_by_side () =
  let tree = tree_of 1000 in
  let pairs = Noted.noted (fun () -> Tree.warm tree ~change:false 8 (fun i -> (200 * i) + 1)) in
  let turns = List.filteri (fun i _ -> i < 64) (List.map fst pairs) in
  List.iteri (fun i k -> Alcotest.(check int) "whose turn it is" ((200 * (i mod 8)) + 1) k) turns

(* How many comparisons a batch of look-ups makes, and how many the look-ups make one by one. *)
let comparisons tree keys =
  let t = Atomic.make tree in
  let op k = Batched.Op (Batched.Op.Mem k, Weft_batch.Cell.make ()) in
  let batch = Noted.noted (fun () -> Batched.run_batch t (Array.map op keys)) in
  let singly = Noted.noted (fun () -> Array.iter (fun k -> ignore (Map.mem t k : bool)) keys) in
  (List.length batch, List.length singly)

(* A few operations: one more comparison for each neighbour, to see whether they are sorted. *)
let where () =
  let keys n = Array.init 8 (fun i -> (2 * (((i * 5) + 3) mod 8 * n / 8)) + 1) in
  let small = 1000 and large = 40_000 in
  let batch, singly = comparisons (tree_of small) (keys small) in
  Alcotest.(check bool) "a small tree is searched once" true (batch <= singly + 8);
  let batch, singly = comparisons (tree_of large) (keys large) in
  Alcotest.(check bool) "a large tree is searched twice" true (batch >= 2 * singly);
  let batch, singly = comparisons (tree_of large) [| 1 |] in
  Alcotest.(check bool) "for one operation, once" true (batch <= singly)

let tests =
  let case name test = Testing.Watchdog.case name test in
  [
    case "all keys go their way" same_way;
    case "side by side" side_by_side;
    case "a large tree is warmed, for more than one" where;
  ]
