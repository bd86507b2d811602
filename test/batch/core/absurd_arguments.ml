(* Arguments that mean nothing: the message begins with the function that the caller has called. *)

module Table = Weft_batch.Hash_table.Make (struct
  include Int

  let hash = Hashtbl.hash
end)

module Queue = Weft_batch.Priority_queue.Make (Int)
module Tree = Weft_batch.B_tree.Make (Int)
module Skip = Weft_batch.Skip_list.Make (Int)
module Avl_tree = Weft_batch.Avl.Make (Int)
module Treap_tree = Weft_batch.Treap.Make (Int)
module Red_black_tree = Weft_batch.Red_black.Make (Int)

let ignoring f () = ignore (Sys.opaque_identity (f ()))

let creations ?limit ?cutoff () =
  let open Weft_batch in
  [
    ("create", ignoring (fun () -> Support.B.create ?limit ?cutoff (Subject.make ())));
    ("Counter.create", ignoring (fun () -> Counter.create ?limit ?cutoff ()));
    ("Hash_table.create", ignoring (fun () -> Table.create ?limit ?cutoff ()));
    ("Priority_queue.create", ignoring (fun () -> Queue.create ?limit ?cutoff ()));
    ("B_tree.create", ignoring (fun () -> Tree.create ?limit ?cutoff ()));
    ("Skip_list.create", ignoring (fun () -> Skip.create ?limit ?cutoff ()));
    ("Avl.create", ignoring (fun () -> Avl_tree.create ?limit ?cutoff ()));
    ("Treap.create", ignoring (fun () -> Treap_tree.create ?limit ?cutoff ()));
    ("Red_black.create", ignoring (fun () -> Red_black_tree.create ?limit ?cutoff ()));
    ("Veb.create", ignoring (fun () -> Veb.create ?limit ?cutoff ~bits:4 ()));
    ("X_fast.create", ignoring (fun () -> X_fast.create ?limit ?cutoff ~bits:4 ()));
    ("Y_fast.create", ignoring (fun () -> Y_fast.create ?limit ?cutoff ~bits:4 ()));
    ("Datalog.create", ignoring (fun () -> Datalog.create ?limit ?cutoff (Datalog.Sequential.parse "")));
    ("Datalog.of_string", ignoring (fun () -> Datalog.of_string ?limit ?cutoff ""));
  ]

let numbers n =
  let open Weft_batch in
  creations ~limit:n ()
  @ creations ~cutoff:(`Fixed n) ()
  @ [
      ("Veb.create", ignoring (fun () -> Veb.create ~bits:n ()));
      ("X_fast.create", ignoring (fun () -> X_fast.create ~bits:n ()));
      ("Y_fast.create", ignoring (fun () -> Y_fast.create ~bits:n ()));
      ("Log.open_", ignoring (fun () -> Log.open_ ~limit:n "/nowhere"));
      ("Log.open_", ignoring (fun () -> Log.open_ ~segment_size:n "/nowhere"));
    ]

let keys k =
  let open Weft_batch in
  let of_veb f () = f (Veb.create ~bits:4 ()) in
  let of_x f () = f (X_fast.create ~bits:4 ()) in
  let of_y f () = f (Y_fast.create ~bits:4 ()) in
  [
    ("Veb.mem", of_veb (fun t -> ignore (Veb.mem t k)));
    ("Veb.find_opt", of_veb (fun t -> ignore (Veb.find_opt t k)));
    ("Veb.add", of_veb (fun t -> Veb.add t k ()));
    ("Veb.remove", of_veb (fun t -> ignore (Veb.remove t k)));
    ("Veb.add_all", of_veb (fun t -> Veb.add_all t [| (1, ()); (k, ()) |]));
    ("X_fast.mem", of_x (fun t -> ignore (X_fast.mem t k)));
    ("X_fast.add", of_x (fun t -> X_fast.add t k ()));
    ("Y_fast.mem", of_y (fun t -> ignore (Y_fast.mem t k)));
    ("Y_fast.add", of_y (fun t -> Y_fast.add t k ()));
  ]

let negative n =
  [
    ("exec_all", fun () -> Support.B.exec_all (Support.B.create (Subject.make ())) n (fun _ -> assert false));
    ("Priority_queue.pop_many", ignoring (fun () -> Queue.pop_many (Queue.create ()) n));
  ]

let begins_with_the_name (name, call) =
  let name = "Weft_batch." ^ name in
  match call () with
  | () -> Some (name ^ ": nothing was raised")
  | exception Invalid_argument message when String.starts_with ~prefix:(name ^ ": ") message -> None
  | exception exn -> Some (Printf.sprintf "%s: %s" name (Printexc.to_string exn))

let messages_begin_with_the_name () =
  let calls =
    List.concat_map numbers [ 0; -1; min_int ]
    @ List.concat_map keys [ -1; 16; min_int; max_int ]
    @ List.concat_map negative [ -1; min_int ]
  in
  Alcotest.(check (list string))
    "wrong" []
    (List.sort_uniq compare (List.filter_map begins_with_the_name calls))

let tests = [ Support.case "the message begins with the function" messages_begin_with_the_name ]
