open Operations

(* A random program, whose tree is checked every so often. *)
let program ?(every = 1) state mixes length key =
  let tree = Tree.create () and m = ref Map.empty in
  List.iter
    (fun mix ->
      for i = 1 to length do
        let op = random state mix key in
        let expected, m' = apply op !m in
        agree "program" i expected (sequentially tree op);
        m := m';
        if i mod every = 0 then Tree.check tree
      done)
    mixes;
  same_contents "program" !m tree

let programs =
  QCheck2.(
    Test.make ~count:(Testing.Effort.few 60) ~name:"random programs"
      Gen.(triple int (int_range 1 3000) (int_range 1 1500))
      (fun (seed, range, length) ->
        let state = Random.State.make [| seed |] in
        let key () = Random.State.int state range in
        program ~every:17 state [ growing; even; shrinking; growing; shrinking ] length key;
        true))

let many () =
  let state = Random.State.make [| 1 |] in
  let key () = Random.State.int state 30_000 in
  (* The model's length is slow. *)
  let mixes = List.map (fun mix -> { mix with others = 1 }) [ growing; even; shrinking; even; growing ] in
  program ~every:40_000 state mixes (Testing.Effort.few 200_000) key

let hostile name keys () =
  let tree = Tree.create () and m = ref Map.empty in
  let each f = Array.iteri f keys in
  let both i op =
    let expected, m' = apply op !m in
    agree name i expected (sequentially tree op);
    m := m'
  in
  each (fun i k ->
      both i (Add (k, i));
      if i mod 97 = 0 then Tree.check tree);
  same_contents name !m tree;
  each (fun i k -> List.iter (both i) [ Find k; Succ k; Pred k; Min; Max; Length ]);
  each (fun i k ->
      both i (Remove k);
      both i (Remove k);
      if i mod 97 = 0 then Tree.check tree);
  same_contents name Map.empty tree

let n = 5000
let ascending = Array.init n Fun.id
let descending = Array.init n (fun i -> n - i)
let alternating = Array.init n (fun i -> if i land 1 = 0 then i else -i)
let extremes = Array.init n (fun i -> if i land 1 = 0 then min_int + (i / 2) else max_int - (i / 2))

let occupancy () =
  let leaves keys =
    let tree = Tree.create () in
    Array.iter (fun k -> Tree.add tree k k) keys;
    let rec count (node : (int, int) Weft_containers.B_tree_node.node) =
      if Weft_containers.B_tree_node.is_leaf node then 1
      else Array.fold_left ( + ) 0 (Array.init node.n (fun i -> count node.children.(i)))
    in
    count tree.root
  in
  List.iter
    (fun (name, keys) ->
      let per_leaf = n / leaves keys in
      if per_leaf < 10 then Alcotest.failf "%s: %d bindings per leaf" name per_leaf)
    [ ("ascending", ascending); ("descending", descending) ]

let empty () =
  let tree = Tree.create () in
  Array.iter
    (fun op -> agree "empty" 0 (fst (apply op Map.empty)) (sequentially tree op))
    [| Mem 1; Find 1; Remove 1; Update (1, 1); Succ min_int; Pred max_int; Min; Max; Length |];
  same_contents "empty" Map.empty tree

(* Float keys and values are unboxed in their arrays; strings are not. *)
let other_types () =
  let module Floats = Weft_containers.B_tree.Make (Float) in
  let module Strings = Weft_containers.B_tree.Make (String) in
  let floats = Floats.create () and strings = Strings.create () in
  for i = 1 to 2000 do
    let k = i * 7919 mod 2003 in
    Floats.add floats (float k) (float k /. 2.);
    Strings.add strings (string_of_int k) (string_of_int i)
  done;
  for k = 1 to 1500 do
    ignore (Floats.remove floats (float k));
    ignore (Strings.remove strings (string_of_int k))
  done;
  Floats.check floats;
  Strings.check strings;
  Floats.iter (fun k v -> if v <> k /. 2. then Alcotest.failf "%f -> %f" k v) floats;
  Strings.iter (fun k v -> if int_of_string v * 7919 mod 2003 <> int_of_string k then Alcotest.fail k) strings

(* Free places keep no value alive. *)
let forgets () =
  let tree = Tree.create () in
  let weak = Weak.create 3000 in
  for i = 0 to 2999 do
    let v = ref i in
    Weak.set weak i (Some v);
    Tree.add tree i v
  done;
  for i = 0 to 2999 do
    if i mod 5 <> 0 then ignore (Tree.remove tree i)
  done;
  Gc.full_major ();
  for i = 0 to 2999 do
    if Weak.check weak i <> (i mod 5 = 0) then Alcotest.failf "the value of %d" i
  done;
  let other = ref 0 in
  for i = 0 to 2999 do
    if i mod 5 = 0 then Tree.add tree i other
  done;
  Gc.full_major ();
  for i = 0 to 2999 do
    if Weak.check weak i then Alcotest.failf "the value that was bound to %d" i
  done;
  Tree.check tree

let case name f = Testing.Watchdog.case name f

let tests =
  [
    case "random programs" (fun () -> QCheck2.Test.check_exn programs);
    case "many random operations" many;
    case "ascending keys" (hostile "ascending" ascending);
    case "descending keys" (hostile "descending" descending);
    case "keys from the middle outwards" (hostile "alternating" alternating);
    case "extreme integers" (hostile "extremes" extremes);
    case "all keys equal" (hostile "equal" (Array.make 500 7));
    case "sorted insertions fill the leaves" occupancy;
    case "an empty map" empty;
    case "float and string keys" other_types;
    case "unbound values are garbage" forgets;
  ]
