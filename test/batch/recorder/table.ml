type fault =
  | Right
  | Removals_first
  | Forgets of int
  | Keeps of int
  | Fails of int
  | Silent of int
  | Raises of int

type 'v t = { table : (int, 'v) Hashtbl.t; fault : fault }

let create fault = { table = Hashtbl.create 16; fault }
let contents t = List.sort (fun (a, _) (b, _) -> Int.compare a b) (List.of_seq (Hashtbl.to_seq t.table))

type ('v, _) op =
  | Find : int -> ('v, 'v option) op
  | Add : int * 'v -> ('v, unit) op
  | Remove : int -> ('v, bool) op
  | Get : int -> ('v, 'v) op
  | Length : ('v, int) op

type 'v packed = Op : ('v, 'a) op * 'a Weft_batch.Cell.t -> 'v packed

let apply (type v a) (t : v t) (op : (v, a) op) : a =
  match op with
  | Find k -> Hashtbl.find_opt t.table k
  | Add (k, v) -> Hashtbl.replace t.table k v
  | Remove k ->
      let was = Hashtbl.mem t.table k in
      Hashtbl.remove t.table k;
      was
  | Get k -> Hashtbl.find t.table k
  | Length -> Hashtbl.length t.table

let rank (type v a) fault (op : (v, a) op) =
  match op with
  | Remove _ when fault = Removals_first -> 0
  | Find _ | Add _ | Remove _ | Get _ -> 1
  | Length -> 2

let resolve (type v a) (t : v t) (op : (v, a) op) (cell : a Weft_batch.Cell.t) =
  match apply t op with
  | result -> Weft_batch.Cell.resolve cell result
  | exception e -> Weft_batch.Cell.fail cell e (Printexc.get_raw_backtrace ())

let faulty (type v a) (t : v t) (op : (v, a) op) (cell : a Weft_batch.Cell.t) =
  match (t.fault, op) with
  | Raises k, _ -> failwith (Printf.sprintf "the key %d" k)
  | Silent _, _ -> ()
  | Fails _, _ -> Weft_batch.Cell.fail cell Exit (Printexc.get_callstack 0)
  | Forgets _, Add _ -> Weft_batch.Cell.resolve cell ()
  | Keeps _, Remove _ -> Weft_batch.Cell.resolve cell true
  | _ -> resolve t op cell

let is_faulty (type v a) fault (op : (v, a) op) =
  match (fault, op) with
  | (Forgets k | Keeps k | Fails k | Silent k | Raises k), (Find k' | Add (k', _) | Remove k' | Get k') ->
      k = k'
  | _ -> false

let one t (Op (op, cell)) = if is_faulty t.fault op then faulty t op cell else resolve t op cell

let run =
  Some
    (fun t ops ->
      let ops = Array.copy ops in
      let rank (Op (op, _)) = rank t.fault op in
      Array.stable_sort (fun a b -> Int.compare (rank a) (rank b)) ops;
      Array.iter (one t) ops)
