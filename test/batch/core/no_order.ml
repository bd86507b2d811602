(** Structures whose comparison answers at random, or contradicts itself. Answers are wrong then; but every
    call ends, with a result or with a failure that says what is wrong, and the structure can be used. *)

let is_told = function
  | Failure why ->
      String.starts_with ~prefix:"Weft_batch: " why
      && String.ends_with ~suffix:"its comparison is no order" why
  | _ -> false

let told f = try f () with e when is_told e -> ()

(* What a comparison answers instead of an order: one that knows no direction, one that goes round in a
   circle, one that always says the same, and chance. *)
let answers : (string * (int -> int -> int)) list =
  [
    ("hashed", fun a b -> (Hashtbl.hash (a, b) mod 3) - 1);
    ("circle", fun a b -> if a = b then 0 else if (a - b) land 1023 < 512 then 1 else -1);
    ("less", fun _ _ -> -1);
    ("greater", fun _ _ -> 1);
    ("extreme", fun a b -> if a lxor b land 1 = 0 then min_int else max_int);
    ("chance", fun _ _ -> Random.int 3 - 1);
    ("mostly", fun a b -> if Random.int 100 = 0 then Random.int 3 - 1 else Int.compare a b);
  ]

let answer = Atomic.make Int.compare

module Wild = struct
  type t = int

  let compare a b = (Atomic.get answer) a b
end

(* What is tried of a structure. *)
type subject = {
  many : int -> unit;  (** a batch of so many operations *)
  each : int -> unit;  (** one operation, of this number *)
  count : unit -> int;  (** how many elements a walk through all of it finds *)
  length : (unit -> int) option;  (** [None]: it may lose elements *)
}

let rounds = 6
let size = 3_000

let tried name make =
  let try_it (how, compare) =
    Atomic.set answer compare;
    let s = make () in
    for round = 1 to rounds do
      told (fun () -> s.many (if round land 1 = 0 then size else 100 * round));
      Weft.parallel_for ~start:0 ~finish:300 ~body:(fun i -> told (fun () -> s.each i)) ();
      let count = s.count () in
      let check length =
        if count <> length () then
          Alcotest.failf "%s, %s: %d elements, but its length is %d" name how count (length ())
      in
      Option.iter check s.length
    done
  in
  Support.on_each_size (fun () -> List.iter try_it answers)

(* Keys that come again, up, down and in no order. *)
let key i = match i land 3 with 0 -> i | 1 -> -i | _ -> i * 7919 land 1023

module type MAP = sig
  include Weft_batch.ORDERED_MAP with type key = int

  module Op : sig
    type ('v, 'a) t =
      | Mem : int -> ('v, bool) t
      | Find : int -> ('v, 'v option) t
      | Add : int * 'v -> ('v, unit) t
      | Remove : int -> ('v, bool) t
      | Update : int * ('v option -> 'v option) -> ('v, 'v option) t
      | Succ : int -> ('v, (int * 'v) option) t
      | Pred : int -> ('v, (int * 'v) option) t
      | Min : ('v, (int * 'v) option) t
      | Max : ('v, (int * 'v) option) t
      | Length : ('v, int) t
  end

  val exec_many : 'v t -> ('v, 'a) Op.t array -> 'a array
end

module Map (M : MAP) = struct
  let update i = (key i, fun v -> if i land 4 = 0 then Some i else Option.map succ v)

  let each t i =
    match i mod 5 with
    | 0 -> ignore (M.mem t (key i) : bool)
    | 1 -> ignore (M.remove t (key i) : bool)
    | 2 -> ignore (M.pred t (key i) : (int * int) option)
    | 3 ->
        let k, f = update i in
        ignore (M.update t k f : int option)
    | _ -> M.add t (key i) i

  let many t n =
    let together n op = ignore (M.exec_many t (Array.init n op) : _ array) in
    told (fun () -> M.add_all t (Array.init n (fun i -> (key i, i))));
    told (fun () ->
        together n (fun i ->
            let k, f = update i in
            M.Op.Update (k, f)));
    told (fun () -> together (n / 2) (fun i -> M.Op.Remove (key (3 * i))));
    told (fun () -> together n (fun i -> M.Op.Find (key i)));
    together n (fun i -> M.Op.Succ (key i))

  let subject ?(loses = false) t =
    let count () = M.fold (fun _ _ n -> n + 1) t 0 in
    { many = many t; each = each t; count; length = (if loses then None else Some (fun () -> M.length t)) }
end

let cutoff = `Fixed 1

module Avl = Weft_batch.Avl.Make (Wild)
module Red_black = Weft_batch.Red_black.Make (Wild)
module Treap = Weft_batch.Treap.Make (Wild)
module B_tree = Weft_batch.B_tree.Make (Wild)
module Skip_list = Weft_batch.Skip_list.Make (Wild)
module Of_avl = Map (Avl)
module Of_red_black = Map (Red_black)
module Of_treap = Map (Treap)
module Of_b_tree = Map (B_tree)
module Of_skip_list = Map (Skip_list)

let priority_queue () =
  let module Q = Weft_batch.Priority_queue.Make (Wild) in
  let q = Q.create ~cutoff:(`Fixed 1) () in
  let many n =
    told (fun () -> Q.push_all q (Array.init n (fun i -> (key i, i))));
    told (fun () -> ignore (Q.pop_many q (n / 4) : (int * int) array));
    let mixed i = if i land 3 = 0 then Q.Pop else Q.Min in
    ignore (Q.exec_many q (Array.init n mixed) : (int * int) option array)
  in
  let each i =
    match i mod 3 with
    | 0 -> ignore (Q.pop_min q : (int * int) option)
    | 1 -> ignore (Q.min_opt q : (int * int) option)
    | _ -> Q.push q (key i) i
  in
  { many; each; count = (fun () -> Seq.length (Q.to_seq q)); length = Some (fun () -> Q.length q) }

let tests =
  List.map
    (fun (name, make) -> Support.case name (fun () -> tried name make))
    [
      ("AVL trees", fun () -> Of_avl.subject (Avl.create ~cutoff ()));
      ("red-black trees", fun () -> Of_red_black.subject (Red_black.create ~cutoff ()));
      ("treaps", fun () -> Of_treap.subject (Treap.create ~cutoff ()));
      ("B-trees", fun () -> Of_b_tree.subject (B_tree.create ~cutoff ()));
      ("skip lists", fun () -> Of_skip_list.subject ~loses:true (Skip_list.create ~cutoff ()));
      ("priority queues", priority_queue);
    ]
