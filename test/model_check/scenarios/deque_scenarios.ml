type element = { name : string; mutable takers : string list }

let element name = { name; takers = [] }
let nil = element "nil"

let take e who =
  if Deque_memory.is_unused e then failwith "an unused slot was taken for an element";
  e.takers <- who :: e.takers

(* A deque with room for [capacity] elements before it grows. *)
let deque ~capacity : element Deque.t =
  Deque_memory.initial_capacity := capacity;
  Deque.create ~id:0 ~wake:(Deque_memory.make_word ())

let push d e =
  if Deque.is_full d then Deque.make_room d;
  Deque.push d e

let pop d =
  let e = Deque.pop d ~nil in
  if e != nil then take e "owner"

let pop_if d e = if Deque.pop_if d e then take e "owner"

let take_eldest d =
  let e = Deque.take_eldest d ~nil in
  if e != nil then take e "owner"

let thief d name ~times =
  Process.spawn name @@ fun () ->
  for _ = 1 to times do
    let e = Deque.steal d ~nil in
    if e != nil then take e name
  done

(* Takes the remaining elements. Every element must be found in one place. *)
let judge d elements =
  if Deque_memory.bottom d < Deque_memory.top d then Explore.violate "bottom is left of top";
  let rec rest () =
    let e = Deque.pop d ~nil in
    if e != nil then begin
      take e "nobody";
      rest ()
    end
  in
  rest ();
  List.iter
    (fun e ->
      match e.takers with
      | [ _ ] -> ()
      | [] -> Explore.violate "%s is lost" e.name
      | takers -> Explore.violate "%s was taken by %s" e.name (String.concat " and " (List.rev takers)))
    elements

let takers _ elements =
  String.concat ", " (List.map (fun e -> e.name ^ ": " ^ String.concat "+" e.takers) elements)

(* [owner d elements] is what the owner does; [thieves] says how many steals each thief tries. *)
let scenario ?(long = false) ?(outcome = takers) name ~capacity ~elements ~thieves ~outcomes owner :
    Scenario.t =
  let set_up () =
    let elements = List.map element elements in
    let d = deque ~capacity in
    Process.spawn "owner" (fun () ->
        Deque_memory.adopt d;
        owner d elements);
    List.iteri (fun i times -> thief d (List.nth [ "P"; "Q" ] i) ~times) thieves;
    fun () ->
      judge d elements;
      outcome d elements
  in
  { name; long; outcomes; set_up }

let push_and_pop d elements =
  List.iter (push d) elements;
  List.iter (fun _ -> pop d) elements

(* The owner pops from the bottom and steals from the top. *)
let push_and_take_eldest d elements =
  List.iter (push d) elements;
  take_eldest d;
  List.iter (fun _ -> pop d) (List.tl elements)

(* Pushes and pops nest, as those of nested forks do. *)
let push_and_join d elements =
  List.iter (push d) elements;
  List.iter (pop_if d) (List.rev elements)

(* A push that finds no room grows the deque, unless an element was stolen: then it uses that element's
   slot again. *)
let and_capacity d elements = Printf.sprintf "%s, %d slots" (takers d elements) (Deque_memory.capacity d)

(* [b] is at the bottom, or nothing is. It must never be [a], though slots keep their old elements. *)
let wrong_one d elements =
  match elements with
  | [ a; b ] ->
      push d a;
      push d b;
      if Deque.pop_if d a then Explore.violate "an element that is not at the bottom was popped";
      pop_if d b;
      if Deque.pop_if d b then Explore.violate "an element was popped again";
      pop_if d a;
      if Deque.pop_if d a then Explore.violate "an element was popped from an empty deque"
  | _ -> assert false

(* [size] is called in the middle of all operations. *)
let observed_size : Scenario.t =
  let set_up () =
    let elements = List.map element [ "a"; "b" ] in
    let d = deque ~capacity:4 in
    let seen = ref 0 in
    Process.spawn "owner" (fun () ->
        Deque_memory.adopt d;
        push_and_pop d elements);
    thief d "P" ~times:1;
    Process.spawn "observer" (fun () -> seen := Deque.size d);
    fun () ->
      judge d elements;
      Printf.sprintf "size %d" !seen
  in
  { name = "the size, observed"; long = false; outcomes = [ "size 0"; "size 1"; "size 2" ]; set_up }

let all =
  [
    scenario "the last element, popped" ~capacity:4 ~elements:[ "a" ] ~thieves:[ 1; 1 ]
      ~outcomes:[ "a: P"; "a: Q"; "a: owner" ] push_and_pop;
    scenario "the last element, joined" ~capacity:4 ~elements:[ "a" ] ~thieves:[ 1; 1 ]
      ~outcomes:[ "a: P"; "a: Q"; "a: owner" ] push_and_join;
    scenario "two elements, popped, thieves of two" ~capacity:4 ~elements:[ "a"; "b" ] ~thieves:[ 2; 2 ]
      ~outcomes:
        [
          "a: P, b: P";
          "a: P, b: Q";
          "a: P, b: owner";
          "a: Q, b: P";
          "a: Q, b: Q";
          "a: Q, b: owner";
          "a: owner, b: owner";
        ]
      push_and_pop;
    scenario "three elements, popped" ~capacity:4 ~elements:[ "a"; "b"; "c" ] ~thieves:[ 1; 1 ]
      ~outcomes:
        [
          "a: P, b: Q, c: owner";
          "a: P, b: owner, c: owner";
          "a: Q, b: P, c: owner";
          "a: Q, b: owner, c: owner";
          "a: owner, b: owner, c: owner";
        ]
      push_and_pop;
    scenario "three elements, popped, thieves of two and one" ~long:true ~capacity:4
      ~elements:[ "a"; "b"; "c" ] ~thieves:[ 2; 1 ]
      ~outcomes:
        [
          "a: P, b: P, c: Q";
          "a: P, b: P, c: owner";
          "a: P, b: Q, c: P";
          "a: P, b: Q, c: owner";
          "a: P, b: owner, c: owner";
          "a: Q, b: P, c: P";
          "a: Q, b: P, c: owner";
          "a: Q, b: owner, c: owner";
          "a: owner, b: owner, c: owner";
        ]
      push_and_pop;
    scenario "three elements, joined" ~capacity:4 ~elements:[ "a"; "b"; "c" ] ~thieves:[ 1; 1 ]
      ~outcomes:
        [
          "a: P, b: Q, c: owner";
          "a: P, b: owner, c: owner";
          "a: Q, b: P, c: owner";
          "a: Q, b: owner, c: owner";
          "a: owner, b: owner, c: owner";
        ]
      push_and_join;
    scenario "three elements, joined, a thief of three" ~capacity:4 ~elements:[ "a"; "b"; "c" ] ~thieves:[ 3 ]
      ~outcomes:
        [
          "a: P, b: P, c: P";
          "a: P, b: P, c: owner";
          "a: P, b: owner, c: owner";
          "a: owner, b: owner, c: owner";
        ]
      push_and_join;
    scenario "the last element, taken as the eldest" ~capacity:4 ~elements:[ "a" ] ~thieves:[ 1; 1 ]
      ~outcomes:[ "a: P"; "a: Q"; "a: owner" ] push_and_take_eldest;
    scenario "two elements, the eldest taken by the owner" ~capacity:4 ~elements:[ "a"; "b" ]
      ~thieves:[ 1; 1 ]
      ~outcomes:
        [
          "a: P, b: Q";
          "a: P, b: owner";
          "a: Q, b: P";
          "a: Q, b: owner";
          "a: owner, b: P";
          "a: owner, b: Q";
          "a: owner, b: owner";
        ]
      push_and_take_eldest;
    scenario "growth, the eldest taken by the owner" ~capacity:1 ~elements:[ "a"; "b"; "c" ] ~thieves:[ 1 ]
      ~outcomes:[ "a: P, b: owner, c: owner"; "a: owner, b: P, c: owner"; "a: owner, b: owner, c: owner" ]
      push_and_take_eldest;
    scenario "the wrong element, joined" ~capacity:4 ~elements:[ "a"; "b" ] ~thieves:[ 1; 1 ]
      ~outcomes:[ "a: P, b: Q"; "a: P, b: owner"; "a: Q, b: P"; "a: Q, b: owner"; "a: owner, b: owner" ]
      wrong_one;
    scenario "growth from one slot, a thief of two" ~capacity:1 ~elements:[ "a"; "b"; "c" ] ~thieves:[ 2 ]
      ~outcomes:
        [
          "a: P, b: P, c: owner, 1 slots";
          "a: P, b: P, c: owner, 2 slots";
          "a: P, b: P, c: owner, 4 slots";
          "a: P, b: owner, c: owner, 2 slots";
          "a: P, b: owner, c: owner, 4 slots";
          "a: owner, b: owner, c: owner, 4 slots";
        ]
      ~outcome:and_capacity push_and_pop;
    scenario "growth from one slot" ~capacity:1 ~elements:[ "a"; "b"; "c" ] ~thieves:[ 1; 1 ]
      ~outcomes:
        [
          "a: P, b: Q, c: owner, 1 slots";
          "a: P, b: Q, c: owner, 2 slots";
          "a: P, b: Q, c: owner, 4 slots";
          "a: P, b: owner, c: owner, 2 slots";
          "a: P, b: owner, c: owner, 4 slots";
          "a: Q, b: P, c: owner, 1 slots";
          "a: Q, b: P, c: owner, 2 slots";
          "a: Q, b: P, c: owner, 4 slots";
          "a: Q, b: owner, c: owner, 2 slots";
          "a: Q, b: owner, c: owner, 4 slots";
          "a: owner, b: owner, c: owner, 4 slots";
        ]
      ~outcome:and_capacity push_and_pop;
    scenario "growth from two slots" ~capacity:2 ~elements:[ "a"; "b"; "c" ] ~thieves:[ 1; 1 ]
      ~outcomes:
        [
          "a: P, b: Q, c: owner, 2 slots";
          "a: P, b: Q, c: owner, 4 slots";
          "a: P, b: owner, c: owner, 2 slots";
          "a: P, b: owner, c: owner, 4 slots";
          "a: Q, b: P, c: owner, 2 slots";
          "a: Q, b: P, c: owner, 4 slots";
          "a: Q, b: owner, c: owner, 2 slots";
          "a: Q, b: owner, c: owner, 4 slots";
          "a: owner, b: owner, c: owner, 4 slots";
        ]
      ~outcome:and_capacity push_and_pop;
    observed_size;
    scenario "three elements, popped, thieves of two" ~long:true ~capacity:4 ~elements:[ "a"; "b"; "c" ]
      ~thieves:[ 2; 2 ]
      ~outcomes:
        [
          "a: P, b: P, c: Q";
          "a: P, b: P, c: owner";
          "a: P, b: Q, c: P";
          "a: P, b: Q, c: Q";
          "a: P, b: Q, c: owner";
          "a: P, b: owner, c: owner";
          "a: Q, b: P, c: P";
          "a: Q, b: P, c: Q";
          "a: Q, b: P, c: owner";
          "a: Q, b: Q, c: P";
          "a: Q, b: Q, c: owner";
          "a: Q, b: owner, c: owner";
          "a: owner, b: owner, c: owner";
        ]
      push_and_pop;
  ]
