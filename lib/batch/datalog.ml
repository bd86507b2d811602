module Sequential = Weft_containers.Datalog

type 'a op =
  | Change : Sequential.change -> bool op
  | Query : Sequential.query -> Sequential.answers op
  | Count : Sequential.query -> int op
  | Holds : Sequential.query -> bool op

(* --- evaluation in parallel --- *)

let width () = match Weft.Pool.current () with Some pool -> Weft.Pool.domains pool | None -> 1
let each n f = match n with 0 -> () | 1 -> f 0 | n -> Weft.parallel_for ~start:0 ~finish:(n - 1) ~body:f ()
let runner = { Sequential.width; each }

(* --- one operation --- *)

let one_change db c =
  match c with Sequential.Assert a -> Sequential.assert_fact db a | Retract a -> Sequential.retract db a

let apply (type a) db (op : a op) : a =
  match op with
  | Change c -> one_change db c
  | Query q -> Sequential.query db q
  | Count q -> Sequential.count db q
  | Holds q -> Sequential.holds db q

(* --- a batch --- *)

(* The answer without a change to the database; [None] if a change is needed. *)
let read (type a) db (op : a op) : a option =
  match op with
  | Change _ -> None
  | Query q -> Sequential.Reading.query db q
  | Count q -> Sequential.Reading.count db q
  | Holds q -> Sequential.Reading.holds db q

type 'a operation = 'a op

module Structure = struct
  type t = Sequential.t
  type 'a op = 'a operation
  type packed = Op : 'a op * 'a Cell.t -> packed

  let apply = apply

  let fail_with cell e =
    let backtrace = Printexc.get_raw_backtrace () in
    Cell.fail cell e backtrace

  let change db changes =
    let asked = Array.map fst changes in
    match Sequential.change db asked with
    | results ->
        let settle (_, cell) = function
          | Ok made -> Cell.resolve cell made
          | Error e -> Cell.fail cell (Sequential.Error e) (Printexc.get_callstack 0)
        in
        Array.iter2 settle changes results
    | exception e ->
        let backtrace = Printexc.get_raw_backtrace () in
        Array.iter (fun (_, cell) -> Cell.fail cell e backtrace) changes

  let change_of (type a) (op : a operation) (cell : a Cell.t) : (Sequential.change * bool Cell.t) option =
    match op with Change c -> Some (c, cell) | Query _ | Count _ | Holds _ -> None

  let rank (Op (op, _)) = match op with Change _ -> 0 | Query _ | Count _ | Holds _ -> 1

  let changes_of ops =
    let change (Op (op, cell)) = change_of op cell in
    Array.of_seq (Seq.filter_map change (Array.to_seq ops))

  let read_one db (Op (op, cell)) =
    match op with
    | Change _ -> ()
    | Query _ | Count _ | Holds _ -> (
        match read db op with
        | Some answer -> Cell.resolve cell answer
        | None -> ()
        | exception e -> fail_with cell e)

  (* The first query of a kind makes an index: so it is answered here, one after the other. *)
  let answer_left db (Op (op, cell)) =
    if Cell.is_empty cell then
      match apply db op with answer -> Cell.resolve cell answer | exception e -> fail_with cell e

  let run_batch db ops =
    let changes = changes_of ops in
    if changes <> [||] then change db changes;
    Weft.parallel_for ~start:0 ~finish:(Array.length ops - 1) ~body:(fun i -> read_one db ops.(i)) ();
    Array.iter (answer_left db) ops

  let run = Some run_batch
end

let run_batch = Structure.run_batch

include Batched.Make (Structure)

let create ?limit ?cutoff program =
  Misuse.check "Weft_batch.Datalog.create" ?limit ?cutoff ();
  create ?limit ?cutoff ~rank:Structure.rank (Sequential.create ~runner program)

let of_string ?limit ?cutoff text =
  Misuse.check "Weft_batch.Datalog.of_string" ?limit ?cutoff ();
  create ?limit ?cutoff (Sequential.parse text)

let assert_fact t a = exec t (Change (Assert a))
let retract t a = exec t (Change (Retract a))
let query t q = exec t (Query q)
let count t q = exec t (Count q)
let holds t q = exec t (Holds q)
let change t changes = exec_many t (Array.map (fun c -> Change c) changes)
let query_all t queries = exec_many t (Array.map (fun q -> Query q) queries)
