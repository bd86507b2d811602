(* Expose_repair itself, on an array of counters that checks how it is called. *)

open Support

module Counters = struct
  type 'v t = { counters : int array; mutable total : int; mutable exposed : bool; mutable interrupt : int }
  type ('v, _) op = Next : int -> ('v, int) op | Total : ('v, int) op
  type 'v packed = Op : ('v, 'a) op * 'a Weft_batch.Cell.t -> 'v packed
  type 'v parts = { t : 'v t; touched : int array; runs : int array }

  let apply : type v a. v t -> (v, a) op -> a =
   fun t op ->
    if t.exposed then failwith "applied to an exposed structure";
    match op with
    | Next i ->
        t.counters.(i) <- t.counters.(i) + 1;
        t.total <- t.total + 1;
        t.counters.(i)
    | Total -> t.total

  let shard_of : type v a. v t -> (v, a) op -> int = fun _ -> function Next i -> i | Total -> -1

  let expose t ~touched =
    if t.exposed then failwith "exposed twice";
    Array.iteri (fun i s -> if i > 0 && touched.(i - 1) >= s then failwith "shards out of order") touched;
    t.exposed <- true;
    { t; touched; runs = Array.make (Array.length touched) 0 }

  let prepare _ _ _ ~first:_ ~last:_ = ()

  let run_shard parts ~shard ops order ~first ~last =
    if parts.t.interrupt = parts.touched.(shard) then raise Planned;
    parts.runs.(shard) <- parts.runs.(shard) + last - first + 1;
    for j = first to last do
      if j > first && order.(j) <= order.(j - 1) then failwith "not in the order of arrival";
      match ops.(order.(j)) with
      | Op (Next i, cell) ->
          if i <> parts.touched.(shard) then failwith "an operation of another shard";
          parts.t.counters.(i) <- parts.t.counters.(i) + 1;
          Weft_batch.Cell.resolve cell parts.t.counters.(i)
      | Op (Total, _) -> failwith "an operation of no shard"
    done

  let repair t parts =
    if not t.exposed then failwith "repaired twice";
    t.exposed <- false;
    Array.iter (fun n -> t.total <- t.total + n) parts.runs
end

module Batched = Weft_batch.Expose_repair (Counters)

let make shards : unit Counters.t =
  { counters = Array.make shards 0; total = 0; exposed = false; interrupt = -1 }

let each_domains f = List.iter (fun domains -> Weft.run ~domains f) [ 1; 2; 8 ]

let run t ids =
  let cells = Array.map (fun _ -> Weft_batch.Cell.make ()) ids in
  Batched.run_batch t
    (Array.map2 (fun i c -> Counters.Op ((if i < 0 then Counters.Total else Next i), c)) ids cells);
  Array.map
    (fun c -> match Weft_batch.Cell.result c with Some (Ok n) -> n | _ -> Alcotest.fail "no answer")
    cells

(* Shards: one with nearly everything, one with all, one for each key, all sizes, far apart. *)
let shapes n =
  [
    ("giant", fun i -> if i mod 100 = 0 then i else 7);
    ("equal", fun _ -> 3);
    ("distinct", fun i -> i);
    ("backwards", fun i -> n - 1 - i);
    ("scattered", fun i -> i * 7919 mod n);
    ("questions", fun i -> if i land 1 = 0 then -1 else i);
  ]

let order =
  case "each shard gets its operations in the order of arrival, all others come last" @@ fun () ->
  each_domains @@ fun () ->
  List.iter
    (fun n ->
      List.iter
        (fun (_, shape) ->
          let t = make (Int.max 8 n) and counts = Hashtbl.create 16 in
          let ids = Array.init n shape in
          let got = run t ids in
          let singles = Array.fold_left (fun k i -> if i < 0 then k else k + 1) 0 ids in
          Array.iteri
            (fun j i ->
              if i < 0 then (if got.(j) <> singles then Alcotest.fail "the wrong total")
              else begin
                let c = 1 + Option.value ~default:0 (Hashtbl.find_opt counts i) in
                Hashtbl.replace counts i c;
                if got.(j) <> c then Alcotest.fail "the wrong count"
              end)
            ids;
          if t.exposed || t.total <> singles then Alcotest.fail "not repaired")
        (shapes n))
    [ 0; 1; 2; 31; 32; 33; 48; 49; 1000; 8191; 8192; 40_000 ]

let interrupted =
  case "a batch that is interrupted is repaired all the same" @@ fun () ->
  each_domains @@ fun () ->
  for culprit = 0 to 99 do
    let t = make 100 in
    t.interrupt <- culprit;
    (match run t (Array.init 1000 (fun i -> i mod 100)) with
    | _ -> Alcotest.fail "nothing raised"
    | exception Planned -> ());
    if t.exposed || t.total <> Array.fold_left ( + ) 0 t.counters then Alcotest.fail "not repaired";
    t.interrupt <- -1;
    let total = t.total in
    ignore (run t (Array.init 500 (fun i -> i mod 100)));
    if t.total <> total + 500 then Alcotest.fail "the next batch counts wrongly"
  done

let outside =
  case "a shard beyond 2^30 is refused" @@ fun () ->
  let t = make 1 in
  Sequences.raises "Weft_batch.Expose_repair: shard 1073741824 is not in 0..1073741823" (fun () ->
      ignore (run t [| 0; 1 lsl 30 |]))

let tests = [ order; interrupted; outside ]
