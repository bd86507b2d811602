open Weft_containers

module Make (Key : Maps.ORDERED) = struct
  module Run = Skip_run.Make (Key)
  module Lane = Run.Lane
  module Sequential = Lane.Sequential
  module Op = Lane.Op

  type 'v t = 'v Sequential.t
  type ('v, 'a) op = ('v, 'a) Op.t
  type 'v packed = 'v Lane.packed = Op : ('v, 'a) op * 'a Cell.t -> 'v packed

  include Lane.Apply (Sequential)

  (* --- dividing --- *)

  let rec each lo hi f =
    if hi - lo = 1 then f lo
    else if hi > lo then
      let mid = (lo + hi) / 2 in
      ignore (Weft.par (fun () -> each lo mid f) (fun () -> each mid hi f) : unit * unit)

  let divided ~grain n f =
    let parts = (n + grain - 1) / grain in
    each 0 parts (fun part -> f part (part * grain) (min n ((part + 1) * grain)))

  (* A lane begins with a search from the top: runs are so long that its cost hardly counts, and yet there are
     enough of them for many domains. *)
  let run_length n = max 64 (min 256 (n / 32))

  (* --- sorting --- *)

  let rank = Lane.rank

  let sorted list ops =
    let indices = Array.init (Array.length ops) Fun.id in
    let order =
      if Array.for_all Lane.is_keyed ops then indices
      else Weft.Array.filter (fun i -> Lane.is_keyed ops.(i)) indices
    in
    if order = [||] then None
    else
      let some = Lane.key_of ops.(order.(0)) in
      let keys = Array.map (fun op -> if Lane.is_keyed op then Lane.key_of op else some) ops in
      Weft.Array.stable_sort
        (fun i j -> Key.compare (Array.unsafe_get keys i) (Array.unsafe_get keys j))
        order;
      Some { Lane.list; ops; keys; order; heights = Sequential.draw list (Array.length order) }

  (* --- the batch --- *)

  (* Makes all comparisons of the operations on one key; changes nothing yet. *)
  let search batch =
    let n = Array.length batch.Lane.order in
    let grain = run_length n in
    let runs = Array.make ((n + grain - 1) / grain) None in
    divided ~grain n (fun part from until -> runs.(part) <- Some (Run.search batch ~from ~until));
    Array.map Option.get runs

  let change batch runs =
    divided ~grain:1 (Array.length runs) (fun part _ _ -> Run.change batch runs.(part));
    let all = Skip_seams.make ~unknown:(Sequential.head batch.Lane.list 0) in
    for part = Array.length runs - 1 downto 0 do
      Skip_seams.join (Run.seams runs.(part)) all
    done;
    Skip_seams.finish all;
    let added = Array.fold_left (fun sum run -> sum + Run.gain run) 0 runs in
    Sequential.settle batch.list ~added

  let answer_others t ops =
    let others = Weft.Array.filter (fun op -> not (Lane.is_keyed op)) ops in
    divided ~grain:16 (Array.length others) (fun _ from until ->
        for i = from to until - 1 do
          apply_packed t others.(i)
        done)

  let run t ops =
    match Option.map (fun batch -> (batch, search batch)) (sorted t ops) with
    | searched ->
        (* A list with only half of the links set would be out of order. *)
        Weft.Cancel.shield (fun () ->
            Option.iter (fun (batch, runs) -> change batch runs) searched;
            answer_others t ops)
    | exception e when not (Fatal.is e) -> Array.iter (apply_packed t) ops

  let run_batch = run
  let run = Some run
end
