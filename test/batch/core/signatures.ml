(* A program that takes its map as an argument: with each of the batched maps, and with a sequential one. *)

module type MAP = sig
  include Weft_batch.MAP with type key = int

  val make : unit -> 'v t
end

(* How often each remainder comes, counted by many tasks. *)
module Count (M : MAP) = struct
  let add m k = ignore (M.update m k (fun n -> Some (1 + Option.value n ~default:0)) : int option)

  let result () =
    let m = M.make () in
    M.add_all m (Array.init 10 (fun k -> (1_000 + k, -k)));
    Weft.parallel_for ~start:0 ~finish:4_999 ~body:(fun i -> add m (i * 7919 mod 100)) ();
    ignore (M.remove m 50 : bool);
    M.quiesce m;
    let bindings = List.sort compare (List.of_seq (M.to_seq m)) in
    let found = (M.mem m 50, M.find_opt m 51, M.length m) in
    (bindings, found, M.fold (fun _ n sum -> n + sum) m 0)
end

let expected =
  let bindings = List.init 100 (fun k -> (k, 50)) @ List.init 10 (fun k -> (1_000 + k, -k)) in
  let bindings = List.filter (fun (k, _) -> k <> 50) bindings in
  (bindings, (false, Some 50, 109), (99 * 50) - 45)

module Of_integers (M : Weft_batch.Int_maps.S) = struct
  include M

  let make () = create ~bits:20 ()
end

let maps : (string * (module MAP)) list =
  [
    ("Avl", (module Weft_batch.Avl.Make (Int)));
    ("Red_black", (module Weft_batch.Red_black.Make (Int)));
    ("Treap", (module Weft_batch.Treap.Make (Int)));
    ("B_tree", (module Weft_batch.B_tree.Make (Int)));
    ("Skip_list", (module Weft_batch.Skip_list.Make (Int)));
    ("Hash_table", (module Weft_batch.Hash_table.Make (Int)));
    ("Veb", (module Of_integers (Weft_batch.Veb)));
    ("X_fast", (module Of_integers (Weft_batch.X_fast)));
    ("Y_fast", (module Of_integers (Weft_batch.Y_fast)));
  ]

(* Those in order: the first and the next key above. *)
module Next (M : sig
  include Weft_batch.ORDERED_MAP with type key = int

  val make : unit -> 'v t
end) =
struct
  let result () =
    let m = M.make () in
    M.add_all m [| (5, "five"); (1, "one"); (9, "nine") |];
    (M.min_binding_opt m, M.succ m 1, M.pred m 9, M.max_binding_opt m)
end

let in_order () =
  let right name result =
    let expected = (Some (1, "one"), Some (5, "five"), Some (5, "five"), Some (9, "nine")) in
    Alcotest.(check bool) name true (result = expected)
  in
  let module Avl = Next (Weft_batch.Avl.Make (Int)) in
  right "Avl" (Avl.result ());
  let module Red_black = Next (Weft_batch.Red_black.Make (Int)) in
  right "Red_black" (Red_black.result ());
  let module Treap = Next (Weft_batch.Treap.Make (Int)) in
  right "Treap" (Treap.result ());
  let module B_tree = Next (Weft_batch.B_tree.Make (Int)) in
  right "B_tree" (B_tree.result ());
  let module Skip_list = Next (Weft_batch.Skip_list.Make (Int)) in
  right "Skip_list" (Skip_list.result ());
  let module Veb = Next (Of_integers (Weft_batch.Veb)) in
  right "Veb" (Veb.result ());
  let module X_fast = Next (Of_integers (Weft_batch.X_fast)) in
  right "X_fast" (X_fast.result ());
  let module Y_fast = Next (Of_integers (Weft_batch.Y_fast)) in
  right "Y_fast" (Y_fast.result ())

let every_map () =
  List.iter
    (fun domains ->
      Weft.run ~domains @@ fun () ->
      List.iter
        (fun (name, (module M : MAP)) ->
          let module C = Count (M) in
          Alcotest.(check bool) (Printf.sprintf "%s, %d domains" name domains) true (C.result () = expected))
        maps)
    [ 1; 2; 8 ]

let tests = [ Testing.Watchdog.case "MAP" every_map; Testing.Watchdog.case "ORDERED_MAP" in_order ]
