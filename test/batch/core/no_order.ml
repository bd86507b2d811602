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

let avl () =
  let module M = Weft_batch.Avl.Make (Wild) in
  let t = M.create ~cutoff:(`Fixed 1) () in
  let update i = M.Op.Update (key i, fun v -> if i land 4 = 0 then Some i else Option.map succ v) in
  let many n =
    told (fun () -> M.add_all t (Array.init n (fun i -> (key i, i))));
    told (fun () -> ignore (M.exec_many t (Array.init n update) : int option array));
    told (fun () ->
        ignore (M.exec_many t (Array.init (n / 2) (fun i -> M.Op.Remove (key (3 * i)))) : bool array));
    told (fun () -> ignore (M.exec_many t (Array.init n (fun i -> M.Op.Find (key i))) : int option array));
    ignore (M.exec_many t (Array.init n (fun i -> M.Op.Succ (key i))) : (int * int) option array)
  in
  let each i =
    match i mod 5 with
    | 0 -> ignore (M.mem t (key i) : bool)
    | 1 -> ignore (M.remove t (key i) : bool)
    | 2 -> ignore (M.pred t (key i) : (int * int) option)
    | 3 -> ignore (M.exec t (update i) : int option)
    | _ -> M.add t (key i) i
  in
  { many; each; count = (fun () -> M.fold (fun _ _ n -> n + 1) t 0); length = Some (fun () -> M.length t) }

let red_black () =
  let module M = Weft_batch.Red_black.Make (Wild) in
  let t = M.create ~cutoff:(`Fixed 1) () in
  let update i = M.Op.Update (key i, fun v -> if i land 4 = 0 then Some i else Option.map succ v) in
  let many n =
    told (fun () -> M.add_all t (Array.init n (fun i -> (key i, i))));
    told (fun () -> ignore (M.exec_many t (Array.init n update) : int option array));
    told (fun () ->
        ignore (M.exec_many t (Array.init (n / 2) (fun i -> M.Op.Remove (key (3 * i)))) : bool array));
    told (fun () -> ignore (M.exec_many t (Array.init n (fun i -> M.Op.Find (key i))) : int option array));
    ignore (M.exec_many t (Array.init n (fun i -> M.Op.Succ (key i))) : (int * int) option array)
  in
  let each i =
    match i mod 5 with
    | 0 -> ignore (M.mem t (key i) : bool)
    | 1 -> ignore (M.remove t (key i) : bool)
    | 2 -> ignore (M.pred t (key i) : (int * int) option)
    | 3 -> ignore (M.exec t (update i) : int option)
    | _ -> M.add t (key i) i
  in
  { many; each; count = (fun () -> M.fold (fun _ _ n -> n + 1) t 0); length = Some (fun () -> M.length t) }

let treap () =
  let module M = Weft_batch.Treap.Make (Wild) in
  let t = M.create ~cutoff:(`Fixed 1) () in
  let update i = M.Op.Update (key i, fun v -> if i land 4 = 0 then Some i else Option.map succ v) in
  let many n =
    told (fun () -> M.add_all t (Array.init n (fun i -> (key i, i))));
    told (fun () -> ignore (M.exec_many t (Array.init n update) : int option array));
    told (fun () ->
        ignore (M.exec_many t (Array.init (n / 2) (fun i -> M.Op.Remove (key (3 * i)))) : bool array));
    told (fun () -> ignore (M.exec_many t (Array.init n (fun i -> M.Op.Find (key i))) : int option array));
    ignore (M.exec_many t (Array.init n (fun i -> M.Op.Succ (key i))) : (int * int) option array)
  in
  let each i =
    match i mod 5 with
    | 0 -> ignore (M.mem t (key i) : bool)
    | 1 -> ignore (M.remove t (key i) : bool)
    | 2 -> ignore (M.pred t (key i) : (int * int) option)
    | 3 -> ignore (M.exec t (update i) : int option)
    | _ -> M.add t (key i) i
  in
  { many; each; count = (fun () -> M.fold (fun _ _ n -> n + 1) t 0); length = Some (fun () -> M.length t) }

let b_tree () =
  let module M = Weft_batch.B_tree.Make (Wild) in
  let t = M.create ~cutoff:(`Fixed 1) () in
  let update i = M.Op.Update (key i, fun v -> if i land 4 = 0 then Some i else Option.map succ v) in
  let many n =
    told (fun () -> M.add_all t (Array.init n (fun i -> (key i, i))));
    told (fun () -> ignore (M.exec_many t (Array.init n update) : int option array));
    told (fun () ->
        ignore (M.exec_many t (Array.init (n / 2) (fun i -> M.Op.Remove (key (3 * i)))) : bool array));
    told (fun () -> ignore (M.exec_many t (Array.init n (fun i -> M.Op.Find (key i))) : int option array));
    ignore (M.exec_many t (Array.init n (fun i -> M.Op.Succ (key i))) : (int * int) option array)
  in
  let each i =
    match i mod 5 with
    | 0 -> ignore (M.mem t (key i) : bool)
    | 1 -> ignore (M.remove t (key i) : bool)
    | 2 -> ignore (M.pred t (key i) : (int * int) option)
    | 3 -> ignore (M.exec t (update i) : int option)
    | _ -> M.add t (key i) i
  in
  { many; each; count = (fun () -> M.fold (fun _ _ n -> n + 1) t 0); length = Some (fun () -> M.length t) }

let skip_list () =
  let module M = Weft_batch.Skip_list.Make (Wild) in
  let t = M.create ~cutoff:(`Fixed 1) () in
  let update i = M.Op.Update (key i, fun v -> if i land 4 = 0 then Some i else Option.map succ v) in
  let many n =
    told (fun () -> M.add_all t (Array.init n (fun i -> (key i, i))));
    told (fun () -> ignore (M.exec_many t (Array.init n update) : int option array));
    told (fun () ->
        ignore (M.exec_many t (Array.init (n / 2) (fun i -> M.Op.Remove (key (3 * i)))) : bool array));
    told (fun () -> ignore (M.exec_many t (Array.init n (fun i -> M.Op.Find (key i))) : int option array));
    ignore (M.exec_many t (Array.init n (fun i -> M.Op.Succ (key i))) : (int * int) option array)
  in
  let each i =
    match i mod 5 with
    | 0 -> ignore (M.mem t (key i) : bool)
    | 1 -> ignore (M.remove t (key i) : bool)
    | 2 -> ignore (M.pred t (key i) : (int * int) option)
    | 3 -> ignore (M.exec t (update i) : int option)
    | _ -> M.add t (key i) i
  in
  { many; each; count = (fun () -> M.fold (fun _ _ n -> n + 1) t 0); length = None }

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
      ("AVL trees", avl);
      ("red-black trees", red_black);
      ("treaps", treap);
      ("B-trees", b_tree);
      ("skip lists", skip_list);
      ("priority queues", priority_queue);
    ]
