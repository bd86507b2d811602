(* Batched structures, from the same sources as the library's, with a point before each atomic access. *)

open Points
module Weft_batch = Checked_batch.Weft_batch

let three f g h = both f (fun () -> both g h)

(* --- batched structures --- *)

let counter () =
  let module C = Weft_batch.Counter in
  let c = C.create () in
  let promise = ref None in
  three
    (fun () -> C.add c 1)
    (fun () ->
      promise := Some (C.submit c (Add 2));
      C.add c 4)
    (fun () ->
      C.add c 8;
      C.quiesce c);
  Option.iter Weft.await !promise;
  assert (C.get c = 15)

module Map = Weft_batch.Avl.Make (Int)

let map () =
  let m = Map.create () in
  let add k () = Map.add m k k in
  three
    (fun () ->
      add 1 ();
      assert (Map.find_opt m 1 = Some 1))
    (fun () ->
      let adds = Map.submit_many m (Array.init 3 (fun k -> Map.Op.Add (10 + k, k))) in
      ignore (Map.remove m 11 : bool);
      ignore (Weft.await adds : unit array))
    (add 2);
  assert (List.map fst (List.of_seq (Map.to_seq m)) = [ 1; 2; 10; 12 ])

module Queue_of_ints = Weft_batch.Priority_queue.Make (Int)

let priority_queue () =
  let q = Queue_of_ints.create () and got = ref [] in
  let take () = match Queue_of_ints.pop_min q with Some (p, ()) -> got := p :: !got | None -> () in
  three
    (fun () ->
      Queue_of_ints.push q 1 ();
      take ())
    (fun () -> Queue_of_ints.push q 2 ())
    take;
  take ();
  take ();
  assert (List.sort compare !got = [ 1; 2 ])

module D = Weft_batch.Datalog

let datalog () =
  let open D.Sequential in
  let d = D.of_string "path(X, Y) :- edge(X, Y). path(X, Z) :- edge(X, Y), path(Y, Z)." in
  let edge a b = fact "edge" [ Int a; Int b ] in
  let add a b () = ignore (D.assert_fact d (edge a b) : bool) in
  three (add 1 2) (add 2 3) (fun () ->
      add 3 4 ();
      assert (D.retract d (edge 3 4)));
  assert (D.count d (parse_query "path(X, Y)") = 3)

let log () =
  Testing.Folder.within "weft-explorations-" @@ fun folder ->
  let module L = Weft_batch.Log in
  let l = L.open_ folder in
  let append text () = ignore (L.append l text : L.position) in
  three (append "a") (append "b") (append "c");
  let all = L.fold (fun _ text all -> text :: all) l [] in
  L.close l;
  assert (List.sort compare all = [ "a"; "b"; "c" ])

module type MAP = sig
  include Weft_batch.MAP with type key = int

  val make : unit -> 'v t
end

(* Calls that meet, and a batch among them. *)
module Maps (M : MAP) = struct
  let run () =
    let m = M.make () in
    three
      (fun () ->
        M.add m 1 1;
        assert (M.find_opt m 1 = Some 1))
      (fun () ->
        M.add_all m [| (5, 50); (3, 30); (4, 40) |];
        assert (M.remove m 4))
      (fun () ->
        M.add m 2 2;
        M.quiesce m;
        assert (not (M.remove m 7)));
    assert (List.sort compare (List.of_seq (M.to_seq m)) = [ (1, 1); (2, 2); (3, 30); (5, 50) ])
end

module Avl_maps = Maps (Weft_batch.Avl.Make (Int))
module Red_black_maps = Maps (Weft_batch.Red_black.Make (Int))
module Treap_maps = Maps (Weft_batch.Treap.Make (Int))
module B_tree_maps = Maps (Weft_batch.B_tree.Make (Int))
module Skip_list_maps = Maps (Weft_batch.Skip_list.Make (Int))
module Hash_maps = Maps (Weft_batch.Hash_table.Make (Int))

module Int_maps (M : Weft_batch.Int_maps.S) = Maps (struct
  include M

  let make () = create ~bits:14 ()
end)

module Veb_maps = Int_maps (Weft_batch.Veb)
module X_fast_maps = Int_maps (Weft_batch.X_fast)
module Y_fast_maps = Int_maps (Weft_batch.Y_fast)

let all =
  [
    ("batched counter", counter); ("batched map", map); ("batched queue", priority_queue); ("datalog", datalog);
  ]

(* Long, or with a system call for each operation. *)
let slow =
  [
    ("AVL trees", Avl_maps.run);
    ("red-black trees", Red_black_maps.run);
    ("treaps", Treap_maps.run);
    ("B-trees", B_tree_maps.run);
    ("skip lists", Skip_list_maps.run);
    ("hash tables", Hash_maps.run);
    ("van Emde Boas trees", Veb_maps.run);
    ("x-fast tries", X_fast_maps.run);
    ("y-fast tries", Y_fast_maps.run);
    ("log", log);
  ]
