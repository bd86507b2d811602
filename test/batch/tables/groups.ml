module Grouping = Weft_containers.Grouping

(* The last block runs first: that shows code which relies on an order. *)
let backwards n body =
  for i = n - 1 downto 0 do
    body i
  done

let stable rand =
  let n = Random.State.int rand 20_000 and classes = 1 + Random.State.int rand 100 in
  let first = Random.State.int rand 10 in
  let class_of = Array.init n (fun _ -> Random.State.int rand classes) in
  let { Grouping.order; starts } = Grouping.group backwards ~classes ~first class_of in
  let expected = List.stable_sort (fun i j -> compare class_of.(i) class_of.(j)) (List.init n Fun.id) in
  let place_of_class c = List.length (List.filter (fun d -> d < c) (Array.to_list class_of)) in
  Array.to_list order = List.map (fun i -> i + first) expected
  && Array.length starts = classes + 1
  && starts.(classes) = n
  && starts.(classes / 2) = place_of_class (classes / 2)

let wrong_class () =
  match Grouping.group Grouping.in_order ~classes:3 [| 0; 3 |] with
  | _ -> Alcotest.fail "accepted"
  | exception Invalid_argument _ -> ()

let tests =
  [
    Keys.check_seed ~count:30 "stable, in any order of blocks" stable;
    Testing.Watchdog.case "a class that does not exist" wrong_class;
  ]
