(* Graphs to simulate. *)

open Weft_insight_scale.Recorded

let work tasks =
  Array.fold_left
    (fun sum steps -> Array.fold_left (fun sum -> function Run n -> sum + n | _ -> sum) sum steps)
    0 tasks

let of_tasks ?(events = 0) tasks =
  {
    workers = 2;
    total = { work = work tasks; span = 0; burdened = 0 };
    elsewhere = 0;
    burden = 0;
    overhead = 0;
    grain = 0;
    outside = None;
    is_cut = false;
    regions = [||];
    tasks;
    events;
  }

let of_lists ?events tasks = of_tasks ?events (Array.of_list (List.map Array.of_list tasks))

(* The first task forks [n] tasks of [cost] and joins them, the youngest first. *)
let equal_tasks n cost =
  let numbers = List.init n (fun i -> i + 1) in
  of_lists
    ((List.map (fun i -> Fork i) numbers @ List.rev_map (fun i -> Join i) numbers)
    :: List.init n (fun _ -> [ Run cost ]))

(* A random series-parallel graph, and its span. *)
let random seed =
  let state = Random.State.make [| seed |] in
  let below n = Random.State.int state n in
  let tasks = ref [] and count = ref 0 in
  (* The steps of a part, added in reverse order to [steps]; and its span. *)
  let rec part depth steps =
    if depth = 0 || below 5 = 0 then
      let n = 1 + below 50 in
      (Run n :: steps, n)
    else if below 3 = 0 then
      let steps, a = part (depth - 1) steps in
      let steps, b = part (depth - 1) steps in
      (steps, a + b)
    else begin
      incr count;
      let i = !count in
      let right, b = part (depth - 1) [] in
      tasks := (i, right) :: !tasks;
      let steps, a = part (depth - 1) (Fork i :: steps) in
      (Join i :: steps, max a b)
    end
  in
  let main, span = part 9 [] in
  let all = Array.make (!count + 1) [||] in
  List.iter (fun (i, steps) -> all.(i) <- Array.of_list (List.rev steps)) ((0, main) :: !tasks);
  (of_tasks all, span)
