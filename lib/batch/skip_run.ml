module Skip_block = Weft_containers.Skip_block

module Make (Key : Weft_containers.Maps.ORDERED) = struct
  module Lane = Skip_lane.Make (Key)
  module Op = Lane.Op

  type 'v t = { lanes : 'v Lane.t array; seams : (Key.t, 'v) Skip_seams.t; mutable gain : int }

  (* --- searching --- *)

  (* When a lane is done, the last one takes its place. *)
  let rec step_each batch lanes i busy =
    if i = busy then busy
    else
      let lane = Array.unsafe_get lanes i in
      if Lane.is_done lane then begin
        lanes.(i) <- lanes.(busy - 1);
        step_each batch lanes i (busy - 1)
      end
      else begin
        Lane.step batch lane;
        step_each batch lanes (i + 1) busy
      end

  (* First all blocks that the next steps look at are loaded, and then the steps are made. In one loop, each
     misprediction of a comparison would wait for its block, and the next lanes' blocks behind it. *)
  let rec step_all batch lanes busy =
    if busy > 0 then begin
      for i = 0 to busy - 1 do
        Lane.touch (Array.unsafe_get lanes i)
      done;
      step_all batch lanes (step_each batch lanes 0 busy)
    end

  (* With 2M keys and batches of 1024, searches with sixteen lanes take half of the time that they take with
     four. In a list that is in the caches, more lanes only have more starts from the top. *)
  let at_a_time batch = if Cache_size.holds (Lane.Sequential.length batch.Lane.list) then 4 else 16

  let search batch ~from ~until =
    let n = until - from in
    let count = min (at_a_time batch) n in
    let lane i = Lane.make batch ~from:(from + (i * n / count)) ~until:(from + ((i + 1) * n / count)) in
    let lanes = Array.init count lane in
    step_all batch (Array.copy lanes) count;
    { lanes; seams = Skip_seams.make ~unknown:(Lane.Sequential.head batch.list 0); gain = 0 }

  (* --- deciding --- *)

  let rec decide batch p until bound =
    if p = until then bound
    else decide batch (p + 1) until (Lane.decide batch.Lane.ops.(batch.order.(p)) bound)

  let outcomes batch lane =
    Array.init (Lane.groups lane) (fun g ->
        let bound = match Lane.leaf lane g with Leaf b -> Some b.value | _ -> None in
        decide batch (Lane.group_from lane g) (Lane.group_until lane g) bound)

  (* --- linking --- *)

  let bind batch t lane g value =
    let key = Lane.key batch (Lane.group_from lane g) in
    let height = Lane.height lane g in
    let rec up level lower =
      if level < height then
        let before = Lane.before lane g level and after = Lane.after lane g level in
        up (level + 1) (Skip_seams.insert t.seams level ~before ~after ~key ~value ~lower)
    in
    up 0 Skip_block.End;
    t.gain <- t.gain + 1

  let unbind t lane g =
    for level = 0 to Lane.height lane g - 1 do
      Skip_seams.remove t.seams level ~before:(Lane.before lane g level) (Lane.after lane g level)
    done;
    t.gain <- t.gain - 1

  let link batch t lane outcomes =
    for g = Lane.groups lane - 1 downto 0 do
      match (Lane.leaf lane g, outcomes.(g)) with
      | Leaf b, Some value -> if b.value != value then b.value <- value
      | Leaf _, None -> unbind t lane g
      | _, Some value -> bind batch t lane g value
      | _, None -> ()
    done

  let change batch t =
    let outcomes = Array.map (outcomes batch) t.lanes in
    for i = Array.length t.lanes - 1 downto 0 do
      link batch t t.lanes.(i) outcomes.(i)
    done

  let seams t = t.seams
  let gain t = t.gain
end
