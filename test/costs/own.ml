open Testing.Growth
open Table
module Cell = Weft_batch.Cell

(* A structure with very cheap operations: so the counts are those of batching. *)
module Total = struct
  type 'v t = int ref
  type ('v, _) op = Add : int -> ('v, unit) op | Get : ('v, int) op
  type 'v packed = Op : ('v, 'a) op * 'a Cell.t -> 'v packed

  let apply : type a. 'v t -> ('v, a) op -> a = fun t -> function Add n -> t := !t + n | Get -> !t
  let run = Some (fun t ops -> Array.iter (fun (Op (op, cell)) -> Cell.resolve cell (apply t op)) ops)
end

module Simple = struct
  type t = unit Total.t
  type 'a op = (unit, 'a) Total.op
  type packed = Op : 'a op * 'a Cell.t -> packed

  let apply = Total.apply
  let run = None
end

(* The total as a structure of 16 shards. *)
module Sharded = struct
  include Total

  type 'v t = int array
  type 'v parts = 'v t

  let shards = 16

  let apply : type a. 'v t -> ('v, a) op -> a =
   fun t -> function
    | Add n -> t.(n land (shards - 1)) <- t.(n land (shards - 1)) + n
    | Get -> Array.fold_left ( + ) 0 t

  let shard_of : type a. 'v t -> ('v, a) op -> int =
   fun _ -> function Add n -> n land (shards - 1) | Get -> -1

  let expose t ~touched:_ = t
  let prepare _ _ _ ~first:_ ~last:_ = ()

  let run_shard parts ~shard:_ ops order ~first ~last =
    for i = first to last do
      let (Op (op, cell)) = ops.(order.(i)) in
      Cell.resolve cell (apply parts op)
    done

  let repair _ _ = ()
end

let cutoff = `Fixed 2

module type BATCHED = sig
  type t

  val create : unit -> t
  val add : t -> int -> unit
  val add_many : t -> int array -> unit array
  val submit : t -> int -> unit Weft.promise
  val submit_many : t -> int array -> unit array Weft.promise
  val add_all : ?whole:bool -> t -> int -> unit
  val exclusive : t -> unit
  val quiesce : t -> unit
  val unguarded : t -> unit
  val stats : t -> Weft_batch.Stats.t
end

let of_batched (module B : BATCHED) =
  let used n =
    let t = B.create () in
    B.add_all t n;
    t
  in
  [
    constant "create" B.create;
    each_of "exec" used B.add;
    whole "exec_many" (fun n -> (B.create (), Array.init n Fun.id)) (fun (t, ops) -> B.add_many t ops);
    each_of "submit" used (fun t i -> Weft.await (B.submit t i));
    whole "submit_many"
      (fun n -> (B.create (), Array.init n Fun.id))
      (fun (t, ops) -> Weft.await (B.submit_many t ops));
    whole "exec_all" (fun n -> (B.create (), n)) (fun (t, n) -> B.add_all t n);
    whole "exec_all, in parts" (fun n -> (B.create (), n)) (fun (t, n) -> B.add_all ~whole:false t n);
    few_of "exclusive" used B.exclusive;
    few_of "quiesce" used B.quiesce;
    few_of "unguarded" used B.unguarded;
    few_of "stats" used B.stats;
  ]

let generic =
  of_batched
    (module struct
      module B = Weft_batch.Make_generic (Total)

      type t = unit B.t

      let create () = B.create ~cutoff (ref 0)
      let add t i = B.exec t (Add i)
      let add_many t a = B.exec_many t (Array.map (fun i -> Total.Add i) a)
      let submit t i = B.submit t (Add i)
      let submit_many t a = B.submit_many t (Array.map (fun i -> Total.Add i) a)
      let add_all ?whole t n = B.exec_all ?whole t n (fun i -> Add i)
      let exclusive t = B.exclusive t ignore
      let quiesce = B.quiesce
      let unguarded t = ignore (B.unguarded t)
      let stats = B.stats
    end)

let simple =
  of_batched
    (module struct
      module B = Weft_batch.Make (Simple)

      type t = B.t

      let create () = B.create ~cutoff (ref 0)
      let add t i = B.exec t (Add i)
      let add_many t a = B.exec_many t (Array.map (fun i -> Total.Add i) a)
      let submit t i = B.submit t (Add i)
      let submit_many t a = B.submit_many t (Array.map (fun i -> Total.Add i) a)
      let add_all ?whole t n = B.exec_all ?whole t n (fun i -> Add i)
      let exclusive t = B.exclusive t ignore
      let quiesce = B.quiesce
      let unguarded t = ignore (B.unguarded t)
      let stats = B.stats
    end)

module Shards = Weft_batch.Expose_repair (Sharded)

let sharded =
  let packed n = Array.init n (fun i -> Sharded.Op (Sharded.Add i, Cell.make ())) in
  let new_one () = Array.make Sharded.shards 0 in
  of_batched
    (module struct
      module B = Shards

      type t = unit B.t

      let create () = B.create ~cutoff (new_one ())
      let add t i = B.exec t (Add i)
      let add_many t a = B.exec_many t (Array.map (fun i -> Sharded.Add i) a)
      let submit t i = B.submit t (Add i)
      let submit_many t a = B.submit_many t (Array.map (fun i -> Sharded.Add i) a)
      let add_all ?whole t n = B.exec_all ?whole t n (fun i -> Add i)
      let exclusive t = B.exclusive t ignore
      let quiesce = B.quiesce
      let unguarded t = ignore (B.unguarded t)
      let stats = B.stats
    end)
  @ [ whole "run_batch" (fun n -> (new_one (), packed n)) (fun (t, ops) -> Shards.run_batch t ops) ]

(* --- cells and figures --- *)

let cells =
  let full () =
    let c = Cell.make () in
    Cell.resolve c 0;
    c
  in
  [
    constant "make" Cell.make;
    constant "resolve" full;
    constant "fail" (fun () -> Cell.fail (full ()) Exit (Printexc.get_callstack 0));
    constant "clear" (fun () -> Cell.clear (full ()));
    constant "is_empty" (fun () -> Cell.is_empty (full ()));
    constant "result" (fun () -> Cell.result (full ()));
  ]

module Totals = Weft_batch.Make_generic (Total)

let figures =
  let open Weft_batch.Stats in
  let made n =
    let t = Totals.create ~cutoff (ref 0) in
    Totals.exec_all t n (fun i -> Add i);
    Totals.stats t
  in
  [
    few_of "mean_batch" made mean_batch;
    few_of "in_place_share" made in_place_share;
    few_of "verdict" made verdict;
    few_of "pp" made (Format.asprintf "%a" pp);
  ]

let spans = [ constant "observe" (fun () -> Weft_batch.Span.observe None) ]

(* --- recordings --- *)

module R = Weft_batch.Recorder
module Recorded = R.Make (Total)
module Of_recorded = Weft_batch.Make_generic (Recorded)

let recordings =
  let open Recorded in
  let made ?(extent = Until_stopped) () = record extent (ref 0) in
  let many n =
    let t = Of_recorded.create ~cutoff (made ()) in
    for i = 1 to n do
      Of_recorded.exec t (Total.Add i)
    done;
    Of_recorded.exec_all t n (fun i -> Total.Add i);
    Of_recorded.exclusive t recording
  in
  let show_result : type a. ('v, a) Total.op -> a -> string =
   fun op r -> match op with Total.Add _ -> "()" | Get -> string_of_int r
  and show_op : type a. ('v, a) Total.op -> string = function Total.Add n -> string_of_int n | Get -> "?" in
  let meaning = { equal = (fun _ a b -> a = b); show_result; show_op } in
  let read s = if s = "?" then Any Total.Get else Any (Add (int_of_string s)) in
  let ops n = Array.init n (fun i -> Total.Op (Total.Add i, Cell.make ())) in
  let difference text = { R.batch = 1; index = 0; operation = text; expected = ""; got = "" } in
  [
    whole "explain" (fun n -> difference (String.make n 'x')) R.explain;
    each_of "apply" (fun _ -> made ()) (fun t i -> apply t (Total.Add i));
    whole "run" (fun n -> (made (), ops n)) (fun (t, ops) -> Option.get run t ops);
    words "run, by rank" Linear_log (fun n ->
        let t = record ~rank:{ rank = (fun _ -> 0) } Until_stopped (ref 0) and ops = ops n in
        ignoring (Option.get run t) ops);
    constant "record" made;
    constant "stop" (fun () -> stop (made ()));
    whole "recording"
      (fun n ->
        let t = made () in
        for i = 1 to n do
          apply t (Total.Add i)
        done;
        t)
      recording;
    whole "batches" many batches;
    whole "operations" many operations;
    whole "replay" many (replay meaning (ref 0));
    whole "save" many (fun r -> Testing.Child.with_temp_file (fun file -> save meaning file r));
    whole "load" many (fun r ->
        Testing.Child.with_temp_file (fun file ->
            save meaning file r;
            load read file));
  ]

let tables =
  let table prefix file cases =
    {
      prefix = "Weft_batch." ^ prefix;
      files = [ "lib/batch/" ^ file ^ ".mli" ];
      sizes = sizes [ 1000; 10_000 ];
      in_pool = true;
      cases;
      except = [];
    }
  in
  [
    table "Make_generic." "batched" generic;
    table "Make." "batched" simple;
    table "Expose_repair." "shards" sharded;
    table "Cell." "cell" cells;
    table "Stats." "stats" figures;
    table "Span." "span" spans;
    table "Recorder." "recorder" recordings;
  ]
