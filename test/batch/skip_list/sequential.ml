open Programs

let like_stdlib () =
  check_random ~count:400 "one by one" (fun (before, after) ->
      let ops = Array.append before after in
      let t = Sequential.create () in
      let map, expected = in_order Map.empty ops in
      check_answers "one by one" ops expected (Array.map (on_list t) ops);
      check_contents "one by one" t map;
      Sequential.length t = Map.cardinal map)

let folds () =
  let map = Map.of_seq (Seq.init 1000 (fun i -> (i * 7 mod 1000, i))) in
  let t = of_map map in
  let all = ref [] in
  Sequential.iter (fun k v -> all := (k, v) :: !all) t;
  if List.rev !all <> Map.bindings map then Alcotest.fail "iter";
  let all = Sequential.fold (fun k v acc -> (k, v) :: acc) t [] in
  if List.rev all <> Map.bindings map then Alcotest.fail "fold";
  Sequential.clear t;
  check_contents "clear" t Map.empty;
  Sequential.add t 3 4;
  check_contents "clear, add" t (Map.singleton 3 4)

(* An array of values, and one of the bound keys and their places in it: as fast as a test needs. *)
let many () =
  let range = 1 lsl 16 in
  let state = Random.State.make [| 5 |] in
  let map = ref Map.empty and t = Sequential.create () in
  let n = Testing.Effort.few 1_000_000 in
  for i = 1 to n do
    let k = Random.State.int state range in
    let op =
      match Random.State.int state 10 with
      | 0 | 1 | 2 -> Add (k, i)
      | 3 | 4 -> Remove k
      | 5 -> Update (k, i)
      | 6 -> Succ k
      | 7 -> Pred k
      | 8 -> Find k
      | _ -> if i land 1 = 0 then Max else Mem k
    in
    let map', expected = on_map !map op in
    map := map';
    if on_list t op <> expected then Alcotest.failf "operation %d is wrong" i;
    if i mod (n / 10) = 0 then check_contents "many" t !map
  done

let orders n =
  [
    ("ascending", fun i -> i);
    ("descending", fun i -> n - i);
    ("inwards", fun i -> if i land 1 = 0 then i else (2 * n) - i);
    ("outwards", fun i -> if i land 1 = 0 then i else -i);
  ]

(* The expected value is 42: log2 n / p / 2 steps, some of which compare twice. *)
let balanced () =
  let n = 20_000 in
  let test (name, key) =
    let t = Sequential.create () in
    for i = 0 to n - 1 do
      Sequential.add t (key i) i
    done;
    let calls =
      Keys.counted (fun () ->
          for i = 0 to n - 1 do
            ignore (Sequential.mem t (key i))
          done)
    in
    if calls > 60 * n then Alcotest.failf "%s: %d comparisons per search" name (calls / n);
    for i = 0 to n - 1 do
      if not (Sequential.remove t (key i)) then Alcotest.failf "%s: key %d is lost" name i
    done;
    check_contents name t Map.empty
  in
  List.iter test (orders n)

let hostile () =
  let t = Sequential.create () in
  for i = 1 to 1000 do
    Sequential.add t 7 i;
    Sequential.add t min_int i;
    Sequential.add t max_int i
  done;
  check_contents "equal keys" t (Map.of_list [ (7, 1000); (min_int, 1000); (max_int, 1000) ]);
  if Sequential.succ t max_int <> None || Sequential.pred t min_int <> None then
    Alcotest.fail "beyond the ends";
  if Sequential.pred t max_int <> Some (7, 1000) then Alcotest.fail "before the greatest"

module Floats = Weft_containers.Skip_list.Make (Float)

(* Arrays of floats have a special representation in OCaml. *)
let floats () =
  let t = Floats.create () in
  for i = 0 to 999 do
    Floats.add t (float_of_int (i * 7 mod 1000)) (float_of_int i)
  done;
  Floats.check t;
  if Floats.find_opt t 7. <> Some 1. || Floats.length t <> 1000 then Alcotest.fail "floats"

(* For every operation, each of its comparisons raises in turn. *)
let raising_compare () =
  let map = Map.of_seq (Seq.init 60 (fun i -> (2 * i, i))) in
  let raised_in op =
    let rec from k =
      let t = of_map ~seed:k map in
      match Keys.raising_at k (fun () -> on_list t op) with
      | Raised ->
          check_contents "a comparison raised" t map;
          from (k + 1)
      | answer ->
          let map, expected = on_map map op in
          check_contents "no comparison raised" t map;
          if answer <> expected then Alcotest.fail "a wrong answer";
          k
    in
    from 0
  in
  let ops k = [ Mem k; Find k; Add (k, 9); Remove k; Update (k, 4); Update (k, 8); Succ k; Pred k ] in
  let raised = List.map (fun k -> List.map raised_in (ops k)) [ -1; 0; 30; 31; 118; 119 ] in
  List.iter (List.iter (fun k -> if k = 0 then Alcotest.fail "nothing was compared")) raised

let raising_update () =
  let map = Map.of_seq (Seq.init 60 (fun i -> (2 * i, i))) in
  let t = of_map map in
  for k = -1 to 120 do
    if on_list t (Fail k) <> Raised then Alcotest.fail "it should have raised"
  done;
  check_contents "updates raised" t map

let tests =
  let case name f = Testing.Watchdog.case name f in
  [
    case "answers and contents like the standard library's" like_stdlib;
    case "iter, fold and clear" folds;
    case "many operations" many;
    case "no order of keys makes it slow" balanced;
    case "equal and extreme keys" hostile;
    case "floats" floats;
    case "a comparison that raises changes nothing" raising_compare;
    case "an update that raises changes nothing" raising_update;
  ]
