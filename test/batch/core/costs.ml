(* What the docstrings say about cost, in work: calls of the comparison, or of the hash, for n elements and for 2 n, in a pool of one
   worker. [n] operations one by one, or in one batch, are O(n log n) comparisons for what is ordered, O(n) hashes. *)

let count = ref 0

module Key = struct
  type t = int

  let compare a b =
    incr count;
    Int.compare a b

  let equal = Int.equal

  let hash k =
    incr count;
    Hashtbl.hash k
end

module Table = Weft_batch.Hash_table.Make (Key)
module Queue = Weft_batch.Priority_queue.Make (Key)
module Tree = Weft_batch.B_tree.Make (Key)
module Skip = Weft_batch.Skip_list.Make (Key)
module Avl = Weft_batch.Avl.Make (Key)
module Treap = Weft_batch.Treap.Make (Key)
module Red_black = Weft_batch.Red_black.Make (Key)

module type MAP = sig
  type 'v t

  val create : unit -> 'v t
  val add : 'v t -> int -> 'v -> unit
  val add_all : 'v t -> (int * 'v) array -> unit
  val mem : 'v t -> int -> bool
  val remove : 'v t -> int -> unit
end

let work f =
  count := 0;
  f ();
  !count

(* [most]: twice the elements, at most so many times the work. *)
let grows_as_stated name ~most n f =
  let once = work (fun () -> f n) and twice = work (fun () -> f (2 * n)) in
  if once = 0 then Alcotest.failf "%s: no work was counted" name;
  if float_of_int twice > most *. float_of_int (once + 50) then
    Alcotest.failf "%s: work %d for %d elements, %d for twice as many" name once n twice

(* In no order, and always the same. *)
let scattered n =
  let state = Random.State.make [| 1 |] in
  Array.init n (fun _ -> Random.State.bits state)

let of_map name ~most (module M : MAP) =
  let each f m n = Array.iter (f m) (scattered n) in
  let filled n =
    let m = M.create () in
    M.add_all m (Array.map (fun k -> (k, k)) (scattered n));
    m
  in
  [
    ("add", fun n -> each (fun m k -> M.add m k k) (M.create ()) n);
    ("add_all", fun n -> ignore (filled n : int M.t));
    ("add_all, all there", fun n -> M.add_all (filled n) (Array.map (fun k -> (k, k)) (scattered n)));
    ("mem", fun n -> each (fun m k -> ignore (M.mem m k : bool)) (filled n) n);
    ("remove", fun n -> each M.remove (filled n) n);
  ]
  |> List.iter (fun (what, f) ->
         List.iter (fun n -> grows_as_stated (name ^ "." ^ what) ~most n f) [ 500; 4000 ])

let ordered = 2.6
let hashed = 2.2

let maps () =
  Weft.run ~domains:1 @@ fun () ->
  of_map "B_tree" ~most:ordered
    (module struct
      include Tree

      let create () = create ()
      let remove t k = ignore (remove t k)
    end);
  of_map "Skip_list" ~most:ordered
    (module struct
      include Skip

      let create () = create ~seed:1 ()
      let remove t k = ignore (remove t k)
    end);
  of_map "Avl" ~most:ordered
    (module struct
      include Avl

      let create () = create ()
      let remove t k = ignore (remove t k)
    end);
  of_map "Treap" ~most:ordered
    (module struct
      include Treap

      let create () = create ()
      let remove t k = ignore (remove t k)
    end);
  of_map "Red_black" ~most:ordered
    (module struct
      include Red_black

      let create () = create ()
      let remove t k = ignore (remove t k)
    end);
  of_map "Hash_table" ~most:hashed
    (module struct
      include Table

      let create () = create ()
      let remove t k = ignore (remove t k)
    end)

let queues () =
  Weft.run ~domains:1 @@ fun () ->
  let filled n =
    let q = Queue.create () in
    Queue.push_all q (Array.map (fun k -> (k, k)) (scattered n));
    q
  in
  [
    ( "push",
      fun n ->
        let q = Queue.create () in
        Array.iter (fun k -> Queue.push q k k) (scattered n) );
    ("push_all", fun n -> ignore (filled n : int Queue.t));
    ( "pop_min",
      fun n ->
        let q = filled n in
        for _ = 1 to n do
          ignore (Queue.pop_min q : (int * int) option)
        done );
    ("pop_many", fun n -> ignore (Queue.pop_many (filled n) n : (int * int) array));
  ]
  |> List.iter (fun (what, f) ->
         List.iter (fun n -> grows_as_stated ("Priority_queue." ^ what) ~most:ordered n f) [ 4000; 10_000 ])

let tests = [ Support.case "maps" maps; Support.case "priority queues" queues ]
