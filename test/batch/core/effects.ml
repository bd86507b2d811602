(** Effects of functions that users give to structures: refused, whoever applies the operation, and whatever
    handlers there are. *)

open Subject
open Support

type _ Effect.t += Ask : int Effect.t

let ask () = Effect.perform Ask

(* [f ()], with a handler that answers. *)
let answered f =
  let effc (type a) (e : a Effect.t) : ((a, _) Effect.Deep.continuation -> _) option =
    match e with Ask -> Some (fun k -> Effect.Deep.continue k 1) | _ -> None
  in
  Effect.Deep.try_with f () { effc }

let says_why exn =
  let says words = Testing.Text.contains words (Printexc.to_string exn) in
  says "a call of a batched structure may be made by others"
  || says "no handler inside the function of Weft.blocking handles it"

let refused what f =
  match f () with
  | _ -> Alcotest.failf "%s: a handler has answered" what
  | exception (Effect.Unhandled Ask as exn) ->
      if not (says_why exn) then Alcotest.failf "%s: %s" what (Printexc.to_string exn)

let makes () = B.create ~cutoff:(`Fixed 1) (make ())
let forks () = each 0 64 (fun _ -> ignore (ask () : int))

(* The left side waits until the right one has begun, elsewhere: its effects wait for the join. *)
let stolen right =
  let begun = Atomic.make false in
  let until_then () =
    while not (Atomic.get begun) do
      Weft.yield ()
    done
  in
  let begin_ () =
    Atomic.set begun true;
    right ()
  in
  snd (Weft.par until_then begin_)

let ways =
  [
    ("in place", fun b -> ignore (B.exec b (Call ask) : int));
    ("in a batch", fun b -> ignore (B.exec_many b [| Call ask; Get |] : int array));
    ("in a batch without results", fun b -> B.exec_all b 3 (fun _ -> Call (fun () -> ignore (ask () : int))));
    ("in forks", fun b -> B.exec b (Call forks));
    ("in forks of a batch", fun b -> ignore (B.exec_many b [| Call forks; Call forks |] : unit array));
    ("in a stolen fork", fun b -> B.exec b (Call (fun () -> stolen (fun () -> ignore (ask () : int)))));
    ( "with bindings",
      fun b -> Weft.Local.Task_local.with_value Inside.key 7 (fun () -> ignore (B.exec b (Call ask) : int)) );
    ( "inside a time-out",
      fun b -> B.exec b (Call (fun () -> Weft.Cancel.with_timeout 3600. (fun () -> ignore (ask () : int)))) );
    ( "inside another structure",
      fun b -> ignore (B.exec (makes ()) (Call (fun () -> B.exec b (Call ask))) : int) );
    ( "inside another structure, in a stolen fork that it answers",
      fun b ->
        B.exec (makes ())
          (Call (fun () -> answered (fun () -> stolen (fun () -> ignore (B.exec b (Call ask) : int))))) );
    ( "inside another structure, by a task in a stolen fork that it answers",
      fun b ->
        let by_a_task () = ignore (Weft.await (Weft.async (fun () -> B.exec b (Call ask))) : int) in
        B.exec (makes ()) (Call (fun () -> answered (fun () -> stolen by_a_task))) );
    ("by another task", fun b -> ignore (Weft.await (Weft.async (fun () -> B.exec b (Call ask))) : int));
    ("in Weft.blocking", fun b -> ignore (B.exec b (Call (fun () -> Weft.blocking ask)) : int));
    ( "in a batch in Weft.blocking",
      fun b -> Weft.blocking (fun () -> ignore (B.exec_many b [| Call ask |] : int array)) );
    ( "by a task of the operation",
      fun b -> ignore (B.exec b (Call (fun () -> Weft.await (Weft.async ask))) : int) );
  ]

let each_way around () =
  let b = makes () in
  let each_way (what, way) =
    refused what (fun () -> around (fun () -> way b));
    check_int what 0 (B.exec b Get)
  in
  List.iter each_way ways

let in_pools () =
  on_each_size (each_way (fun f -> f ()));
  on_each_size (each_way answered);
  on_each_size (fun () -> answered (each_way (fun f -> f ())));
  answered (fun () -> on_each_size (each_way (fun f -> f ())))

(* Nothing but calls in place: the structure has no [run]. *)
module Singly = Weft_batch.Make (struct
  include Subject

  let run = None
end)

let outside_of_pools () =
  let b = makes () and singly = Singly.create (make ()) and adaptive = B.create (make ()) in
  let alone : type a. string -> (unit -> a) -> unit =
   fun what f ->
    refused what f;
    refused what (fun () -> answered f);
    check_int what 0 (B.exec b Get)
  in
  alone "in place" (fun () -> B.exec b (Call ask));
  alone "in a batch" (fun () -> B.exec_many b [| Call ask; Get |]);
  alone "one by one" (fun () -> Singly.exec_many singly [| Call ask; Get |]);
  alone "in pieces" (fun () ->
      B.exec_all ~whole:false adaptive 10_000 (fun _ -> Call (fun () -> ignore (ask () : int))))

(* Each of those that meet is refused, wherever its operation is applied: they have handlers of their own. *)
let calls_that_meet () =
  List.iter
    (fun cutoff ->
      on_each_size (fun () ->
          let b = B.create ~cutoff (make ()) in
          each 0 1_000 (fun i ->
              if i mod 5 = 0 then slow b
              else if i mod 2 = 0 then refused "met" (fun () -> answered (fun () -> B.exec b (Call ask)))
              else refused "met" (fun () -> B.exec b (Call ask)));
          check_int "afterwards" 0 (B.exec b Get)))
    [ `Fixed 1; `Fixed max_int ]

(* It runs in tasks that see all that is bound around the pipeline. *)
let pipeline () =
  let left = ref 20 and answers = Atomic.make 0 in
  let produce () =
    decr left;
    if !left < 0 then None else Some ()
  in
  let asks () = ignore (Atomic.fetch_and_add answers (ask ()) : int) in
  Weft.pipeline produce (Weft.Stage.parallel asks);
  Atomic.get answers

let handlers_inside_answer () =
  let all b =
    let own () = answered ask and forks () = answered forks in
    check_int "in place" 1 (B.exec b (Call own));
    check "in a batch" (B.exec_many b [| Call own; Call own |] = [| 1; 1 |]);
    B.exec b (Call forks);
    for _ = 1 to 20 do
      B.exec b (Call (fun () -> answered (fun () -> stolen (fun () -> check_int "stolen" 1 (ask ())))))
    done;
    check_int "of a pipeline" 20 (B.exec b (Call (fun () -> answered pipeline)));
    check_int "of a task" 1 (B.exec b (Call (fun () -> answered (fun () -> Weft.await (Weft.async ask)))))
  in
  on_each_size (fun () ->
      let b = makes () in
      all b;
      answered (fun () -> all b);
      (* What is called alone is its caller's code. *)
      check_int "exclusive" 1 (answered (fun () -> B.exclusive b (fun _ -> ask ())));
      (* Before and after it the handlers are asked again. *)
      check_int "afterwards" 2
        (answered (fun () ->
             let before = ask () in
             ignore (B.exec b Get : int);
             before + ask ())))

(* Those that wait inside an operation are suspended, though there is a handler around. *)
let operations_wait () =
  on_each_size (fun () ->
      answered (fun () ->
          let b = makes () in
          slow b;
          let p = Weft.Promise.create () in
          let waits = Weft.async (fun () -> answered (fun () -> B.exec b (Call (fun () -> Weft.await p)))) in
          yield_often ();
          Weft.Promise.resolve p 7;
          check_int "awaited" 7 (Weft.await waits)))

module Asking = struct
  type t = int

  let compare a b = if a = 13 || b = 13 then ask () else Int.compare a b
end

let comparisons () =
  let module Tree = Weft_batch.B_tree.Make (Asking) in
  let module Skip = Weft_batch.Skip_list.Make (Asking) in
  let module Avl = Weft_batch.Avl.Make (Asking) in
  let bindings = Array.init 3_000 (fun i -> (i, i)) in
  let all what add add_all length =
    for i = 100 to 200 do
      add i i
    done;
    refused what (fun () -> add 13 0);
    refused what (fun () -> answered (fun () -> add 13 0));
    refused what (fun () -> answered (fun () -> add_all bindings));
    refused what (fun () -> add_all bindings);
    check_int what 2_999 (length ())
  in
  on_each_size (fun () ->
      let t = Tree.create ~cutoff:(`Fixed 1) () in
      all "B-tree" (Tree.add t) (Tree.add_all t) (fun () -> Tree.length t);
      let t = Skip.create ~cutoff:(`Fixed 1) () in
      all "skip list" (Skip.add t) (Skip.add_all t) (fun () -> Skip.length t);
      let t = Avl.create ~cutoff:(`Fixed 1) () in
      all "AVL tree" (Avl.add t) (Avl.add_all t) (fun () -> Avl.length t))

let tests =
  [
    case "in pools" in_pools;
    case "outside of pools" outside_of_pools;
    case "calls that meet" calls_that_meet;
    case "handlers inside answer" handlers_inside_answer;
    case "operations wait" operations_wait;
    case "comparisons" comparisons;
  ]
