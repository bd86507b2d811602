open Inputs

(* $MDX part-begin=book *)
let neighbours { first; neighbours; _ } u =
  Weft.Seq.init (first.(u + 1) - first.(u)) (fun k -> neighbours.(first.(u) + k))

let breadth_first graph source =
  let levels = Weft.Atomic_array.make graph.nodes (-1) in
  (* Of all tasks that come to [v] at the same time, one gets [true]. *)
  let claim level v =
    Weft.Atomic_array.get levels v < 0 && Weft.Atomic_array.compare_and_set levels v (-1) level
  in
  let rec from level frontier =
    if frontier <> [||] then
      from (level + 1)
        Weft.Seq.(of_array frontier |> flat_map (neighbours graph) |> filter (claim level) |> to_array)
  in
  Weft.Atomic_array.set levels source 0;
  from 1 [| source |];
  Weft.Atomic_array.to_array levels
(* $MDX part-end *)

(* {1 Sequential} *)

let sequential { nodes; first; neighbours } source =
  let levels = Array.make nodes (-1) in
  let rec from level frontier =
    if frontier <> [||] then begin
      let edges = ref 0 and next = ref 0 in
      for i = 0 to Array.length frontier - 1 do
        let u = frontier.(i) in
        edges := !edges + first.(u + 1) - first.(u)
      done;
      let found = Array.make !edges 0 in
      for i = 0 to Array.length frontier - 1 do
        let u = frontier.(i) in
        for k = first.(u) to first.(u + 1) - 1 do
          let v = neighbours.(k) in
          if levels.(v) < 0 then begin
            levels.(v) <- level;
            found.(!next) <- v;
            incr next
          end
        done
      done;
      from (level + 1) (Array.sub found 0 !next)
    end
  in
  levels.(source) <- 0;
  from 1 [| source |];
  levels

let best_sequential { nodes; first; neighbours } source =
  let levels = Array.make nodes (-1) in
  let queue = Array.make nodes source in
  levels.(source) <- 0;
  let head = ref 0 and tail = ref 1 in
  while !head < !tail do
    let u = queue.(!head) in
    incr head;
    for k = first.(u) to first.(u + 1) - 1 do
      let v = neighbours.(k) in
      if levels.(v) < 0 then begin
        levels.(v) <- levels.(u) + 1;
        queue.(!tail) <- v;
        incr tail
      end
    done
  done;
  levels

(* {1 By hand} *)

(* The frontier is divided into blocks, which note what they have found in arrays of their own. *)
let by_hand { nodes; first; neighbours } source =
  let levels = Weft.Atomic_array.make nodes (-1) in
  let claim level v =
    Weft.Atomic_array.get levels v < 0 && Weft.Atomic_array.compare_and_set levels v (-1) level
  in
  let rec from level frontier =
    let n = Array.length frontier in
    if n > 0 then begin
      let blocks = Int.min 64 ((n + 255) / 256) in
      let found = Array.make blocks [||] in
      let visit b =
        let buffer = ref (Array.make 1_024 0) and next = ref 0 in
        for i = b * n / blocks to ((b + 1) * n / blocks) - 1 do
          let u = frontier.(i) in
          for k = first.(u) to first.(u + 1) - 1 do
            let v = neighbours.(k) in
            if claim level v then begin
              if !next = Array.length !buffer then buffer := Array.append !buffer !buffer;
              !buffer.(!next) <- v;
              incr next
            end
          done
        done;
        found.(b) <- Array.sub !buffer 0 !next
      in
      Weft.parallel_for ~chunk_size:1 ~start:0 ~finish:(blocks - 1) ~body:visit ();
      from (level + 1) (Weft.Array.flatten found)
    end
  in
  Weft.Atomic_array.set levels source 0;
  from 1 [| source |];
  Weft.Atomic_array.to_array levels

let benchmark =
  let from_0 search graph = search graph 0 in
  Textbook.benchmark ~name:"breadth_first" ~doc:"breadth-first search of a random graph"
    ~sizes:(1, 100_000_000) ~size_doc:"the number of nodes; half of five edges for each" ~size:1_000_000
    ~quick:30_000
    ~input:(fun nodes -> Inputs.graph ~edges:(5 * nodes / 2) nodes)
    ~digest:Same_result.ints
    {
      best_sequential = from_0 best_sequential;
      sequential = from_0 sequential;
      book = from_0 breadth_first;
      by_hand = from_0 by_hand;
    }
