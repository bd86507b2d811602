module Grouping = Weft_containers.Grouping

(* From so many operations of a kind on, it pays to do them together; from so many elements on, to take them
   off in parallel. *)
let many = 512

(* A large batch is divided into tiles of so many operations. *)
let tile = 8192
let in_parallel n body = Weft.parallel_for ~start:0 ~finish:(n - 1) ~body ()
let for_all n = if n < many then Grouping.in_order else in_parallel

module Make (Order : Weft_containers.Maps.ORDERED) = struct
  module Sequential = Weft_containers.Priority_queue.Make (Order)

  type priority = Order.t

  module Operations = struct
    type ('v, 'a) op =
      | Push : priority * 'v -> ('v, unit) op
      | Pop : ('v, (priority * 'v) option) op
      | Pop_many : int -> ('v, (priority * 'v) array) op
      | Min : ('v, (priority * 'v) option) op
      | Length : ('v, int) op

    type 'v packed = Op : ('v, 'a) op * 'a Cell.t -> 'v packed
  end

  include Operations

  let apply (type v a) (t : v Sequential.t) : (v, a) op -> a = function
    | Push (p, v) ->
        Weft_platform.Stack_room.(ensure call);
        Sequential.push t p v
    | Pop ->
        Weft_platform.Stack_room.(ensure call);
        Sequential.pop_min t
    | Pop_many n ->
        Weft_platform.Stack_room.(ensure call);
        Sequential.pop_many (for_all n) t n
    | Min ->
        Weft_platform.Stack_room.(ensure call);
        Sequential.min_opt t
    | Length -> Sequential.length t

  type kind = Pushing | Looking | Popping | Popping_many

  let kind_of_op (type v a) : (v, a) op -> kind = function
    | Push _ -> Pushing
    | Min -> Looking
    | Length -> Looking
    | Pop -> Popping
    | Pop_many _ -> Popping_many

  let kind (Op (op, _)) = kind_of_op op
  let fail (Op (_, cell)) e bt = Cell.fail cell e bt

  (* Runs the operations of some kinds, one after the other. *)
  let run_in_order t ops is =
    let run (Op (op, cell)) =
      match apply t op with
      | v -> Cell.resolve cell v
      | exception e -> Cell.fail cell e (Printexc.get_raw_backtrace ())
    in
    Array.iter (fun op -> if is (kind op) then run op) ops

  (* The [count] operations of a kind. *)
  let select ops k count =
    let found = Array.make count ops.(0) in
    let n = ref 0 in
    let look op =
      if kind op = k then begin
        found.(!n) <- op;
        incr n
      end
    in
    Array.iter look ops;
    found

  let count k ops = Array.fold_left (fun n op -> if kind op = k then n + 1 else n) 0 ops

  let run_pushes (type v) (t : v Sequential.t) (ops : v packed array) count =
    let pushes = select ops Pushing count in
    let priority i = match pushes.(i) with Op (Push (p, _), _) -> p | _ -> assert false in
    let value i : v = match pushes.(i) with Op (Push (_, v), _) -> v | _ -> assert false in
    Sequential.push_each in_parallel t ~count ~priority ~value ~failed:(fun i -> fail pushes.(i));
    let resolve i =
      match pushes.(i) with Op (Push _, cell) -> if Cell.is_empty cell then Cell.resolve cell () | _ -> ()
    in
    in_parallel count resolve

  let run_pops (type v) (t : v Sequential.t) (ops : v packed array) count =
    let pops = select ops Popping count in
    let popped i (first : (priority * v) option) =
      match pops.(i) with Op (Pop, cell) -> Cell.resolve cell first | _ -> ()
    in
    Sequential.pop_each in_parallel t ~count ~popped ~failed:(fun i -> fail pops.(i))

  let run_tile_of_pushes t ops =
    let pushes = count Pushing ops in
    if pushes >= many then run_pushes t ops pushes
    else if pushes > 0 then run_in_order t ops (fun k -> k = Pushing)

  let run_tile_of_pops t ops =
    let pops = count Popping ops in
    if pops >= many && count Popping_many ops = 0 then run_pops t ops pops
    else run_in_order t ops (fun k -> k = Popping || k = Popping_many)

  (* Calls [f] for the batch in tiles: a part at a time stays in the cache. *)
  let in_tiles f t ops =
    let n = Array.length ops in
    if n <= tile then f t ops
    else
      for i = 0 to (n - 1) / tile do
        f t (Array.sub ops (i * tile) (min tile (n - (i * tile))))
      done

  let run_batch t ops =
    in_tiles run_tile_of_pushes t ops;
    if count Looking ops > 0 then run_in_order t ops (fun k -> k = Looking);
    let pops = count Popping ops in
    (* Preparing all pops at once gives more parallelism than tile by tile. If a comparison raises here,
       nothing has changed, and the pops below compare again. *)
    (if pops >= many then
       try Sequential.prepare in_parallel t pops with e when not (Weft_containers.Fatal.is e) -> ());
    if pops > 0 || count Popping_many ops > 0 then in_tiles run_tile_of_pops t ops

  let rank op = match kind op with Pushing -> 0 | Looking -> 1 | Popping | Popping_many -> 2

  include Batched.Make_generic (struct
    type 'v t = 'v Sequential.t
    type ('v, 'a) op = ('v, 'a) Operations.op
    type 'v packed = 'v Operations.packed = Op : ('v, 'a) op * 'a Cell.t -> 'v packed

    let apply = apply
    let run = Some run_batch
  end)

  let create ?limit ?cutoff () =
    Misuse.check "Weft_batch.Priority_queue.create" ?limit ?cutoff ();
    create ?limit ?cutoff ~rank (Sequential.create ())

  let length t = exec t Length
  let push t p v = exec t (Push (p, v))
  let pop_min t = exec t Pop
  let min_opt t = exec t Min

  let push_all t items =
    exec_all t (Array.length items) (fun i ->
        let p, v = items.(i) in
        Push (p, v))

  let pop_many t n =
    if n < 0 then invalid_arg (Printf.sprintf "Weft_batch.Priority_queue.pop_many: %d elements" n);
    exec t (Pop_many n)

  let to_seq t = exclusive t Sequential.to_seq
end
