open Weft_bench_harness

type contents =
  | Listed of { keys : int array; values : int array }
  | Asked of { length : int; find_opt : int -> int option }

module type MANY = sig
  type t
  type 'a op

  val mem : int -> bool op
  val add : int -> int -> unit op
  val remove : int -> bool op
  val exec_many : t -> 'a op array -> 'a array
  val submit : t -> 'a op -> 'a Weft.Promise.t
end

type 'm operations = { mem : 'm -> int -> bool; add : 'm -> int -> int -> unit; remove : 'm -> int -> bool }

type t =
  | Map : {
      create : int -> 'm;
      fill : 'm -> int array -> (int -> int) -> unit;
      operations : 'm operations;
      add_all : ('m -> (int * int) array -> unit) option;
      many : (module MANY with type t = 'm) option;
      contents : 'm -> contents;
      replaces : bool;
      figures : 'm -> Figure.t list;
    }
      -> t

let one_by_one add m keys value = Array.iter (fun k -> add m k (value k)) keys

(* [listed length iter] are the bindings that [iter] goes through; [length] is their number as the map
   reports it. *)
let listed length iter =
  let keys = Array.make length 0 and values = Array.make length 0 and count = ref 0 in
  iter (fun k v ->
      if !count < length then (
        keys.(!count) <- k;
        values.(!count) <- v);
      incr count);
  if !count <> length then failwith (Printf.sprintf "a map of length %d has %d bindings" length !count);
  Listed { keys; values }

module type MAP = Weft_containers.Maps.MAP with type key = int

module Of (M : MAP) = struct
  let map ?(fill = one_by_one M.add) ?add_all ?many ?(figures = fun _ -> []) create =
    Map
      {
        create = (fun _ -> create ());
        fill;
        operations = { mem = M.mem; add = M.add; remove = M.remove };
        add_all;
        many;
        contents = (fun m -> listed (M.length m) (fun f -> M.iter f m));
        replaces = true;
        figures;
      }
end

(* {1 The lock} *)

type 'm locked = { mutex : Mutex.t; map : 'm }

let[@inline] holding mutex f =
  Mutex.lock mutex;
  match f () with
  | v ->
      Mutex.unlock mutex;
      v
  | exception e ->
      Mutex.unlock mutex;
      raise e

let locked (Map { create; fill; operations = { mem; add; remove }; contents; replaces; figures; _ }) =
  Map
    {
      create = (fun n -> { mutex = Mutex.create (); map = create n });
      fill = (fun { map; _ } keys value -> fill map keys value);
      operations =
        {
          mem = (fun { mutex; map } k -> holding mutex (fun () -> mem map k));
          add = (fun { mutex; map } k v -> holding mutex (fun () -> add map k v));
          remove = (fun { mutex; map } k -> holding mutex (fun () -> remove map k));
        };
      add_all = None;
      many = None;
      contents = (fun { map; _ } -> contents map);
      replaces;
      figures = (fun { map; _ } -> figures map);
    }

(* {1 The standard library} *)

module Int_map = Map.Make (Int)

(* Halves are united, which takes little where all keys of one are less than those of the other. *)
let united keys value =
  let rec from first last =
    if first > last then Int_map.empty
    else if first = last then Int_map.singleton keys.(first) (value keys.(first))
    else
      let middle = (first + last) / 2 in
      Int_map.union (fun _ v _ -> Some v) (from first middle) (from (middle + 1) last)
  in
  from 0 (Array.length keys - 1)

let stdlib_map =
  Map
    {
      create = (fun _ -> ref Int_map.empty);
      fill = (fun m keys value -> m := united keys value);
      operations =
        {
          mem = (fun m k -> Int_map.mem k !m);
          add = (fun m k v -> m := Int_map.add k v !m);
          remove =
            (fun m k ->
              let before = !m in
              m := Int_map.remove k before;
              !m != before);
        };
      add_all = None;
      many = None;
      contents = (fun m -> listed (Int_map.cardinal !m) (fun f -> Int_map.iter f !m));
      replaces = true;
      figures = (fun _ -> []);
    }

module Table = Hashtbl.Make (struct
  type t = int

  let equal = Int.equal
  let hash = Fun.id
end)

let stdlib_table =
  Map
    {
      create = Table.create;
      fill = one_by_one Table.replace;
      operations =
        {
          mem = Table.mem;
          add = Table.replace;
          remove =
            (fun m k ->
              let before = Table.length m in
              Table.remove m k;
              Table.length m < before);
        };
      add_all = None;
      many = None;
      contents = (fun m -> listed (Table.length m) (fun f -> Table.iter f m));
      replaces = true;
      figures = (fun _ -> []);
    }

(* {1 Saturn} *)

let rec log2 n = if n <= 1 then 0 else 1 + log2 ((n + 1) / 2)

let saturn_skip_list =
  let add m k v = ignore (Saturn.Skiplist.try_add m k v : bool) in
  Map
    {
      create = (fun n -> Saturn.Skiplist.create ~max_height:(max 1 (log2 n)) ~compare:Int.compare ());
      fill = one_by_one add;
      operations = { mem = Saturn.Skiplist.mem; add; remove = Saturn.Skiplist.try_remove };
      add_all = None;
      many = None;
      contents = (fun m -> Asked { length = Saturn.Skiplist.length m; find_opt = Saturn.Skiplist.find_opt m });
      replaces = false;
      figures = (fun _ -> []);
    }

let saturn_table =
  let rec add m k v = if not (Saturn.Htbl.try_add m k v || Saturn.Htbl.try_set m k v) then add m k v in
  Map
    {
      create = (fun n -> Saturn.Htbl.create ~min_buckets:(1 lsl log2 n) ~hashed_type:(module Int) ());
      fill = one_by_one add;
      operations = { mem = Saturn.Htbl.mem; add; remove = Saturn.Htbl.try_remove };
      add_all = None;
      many = None;
      contents =
        (fun m ->
          listed (Saturn.Htbl.length m) (fun f -> Seq.iter (fun (k, v) -> f k v) (Saturn.Htbl.to_seq m)));
      replaces = true;
      figures = (fun _ -> []);
    }
