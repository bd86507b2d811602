(* Zeller and Hildebrandt 2002, with complements alone: parts of [size] choices are left out in turn, then
   smaller ones. *)
let rec without at size i = function
  | [] -> []
  | x :: rest ->
      if i >= at && i < at + size then without at size (i + 1) rest else x :: without at size (i + 1) rest

let shrink ~tries still_fails choices =
  let left = ref tries in
  let rec pass ~size ~step at choices =
    if at + size > List.length choices + step - 1 || !left = 0 then choices
    else begin
      decr left;
      match still_fails (without at size 0 choices) with
      (* The choices that were made may be fewer still. *)
      | Some shorter when List.length shorter < List.length choices -> pass ~size ~step at shorter
      | _ -> pass ~size ~step (at + step) choices
    end
  in
  let rec by_size size choices =
    let shorter = pass ~size ~step:size 0 choices in
    if size > 1 then by_size (size / 2) shorter
    else if List.length shorter < List.length choices then by_size 1 shorter
    else
      (* Two fibers that make way for each other: neither of the two can go alone. *)
      let pairs = pass ~size:2 ~step:1 0 shorter in
      if List.length pairs < List.length shorter then by_size 1 pairs else pairs
  in
  if choices = [] then [] else by_size (List.length choices) choices
