(** Exceptions that are not an operation's own: somebody receives them, and the structure goes on. *)

open Support

(* Comparisons fail once, with the given exception. *)
let fails = Atomic.make None

module Key = struct
  type t = int

  let compare a b =
    (match Atomic.get fails with
    | Some exn as armed -> if Atomic.compare_and_set fails armed None then raise exn
    | None -> ());
    Int.compare a b
end

let armed exn f =
  Atomic.set fails (Some exn);
  Fun.protect f ~finally:(fun () -> Atomic.set fails None)

let fatal = [ Sys.Break; Out_of_memory; Stack_overflow ]

module type MAP = sig
  type 'v t

  val create : unit -> 'v t
  val add : 'v t -> int -> 'v -> unit
  val add_all : 'v t -> (int * 'v) array -> unit
  val mem : 'v t -> int -> bool
  val length : 'v t -> int
end

module Avl = Weft_batch.Avl.Make (Key)
module B_tree = Weft_batch.B_tree.Make (Key)
module Skip_list = Weft_batch.Skip_list.Make (Key)
module Queue = Weft_batch.Priority_queue.Make (Key)

let maps : (string * (module MAP)) list =
  [
    ( "avl",
      (module struct
        include Avl

        let create () = create ()
      end) );
    ( "b-tree",
      (module struct
        include B_tree

        let create () = create ()
      end) );
    ( "skip list",
      (module struct
        include Skip_list

        let create () = create ()
      end) );
  ]

(* None of them has changed anything before the last comparison of a batch (of a piece, in a B-tree). *)
let it_ends_a_batch_of_a_map () =
  let try_one name (module M : MAP) exn =
    let m = M.create () in
    for i = 0 to 999 do
      M.add m (2 * i) ()
    done;
    (match armed exn (fun () -> M.add_all m (Array.init 500 (fun i -> ((2 * i) + 1, ())))) with
    | () -> Alcotest.failf "%s: %s was swallowed" name (Printexc.to_string exn)
    | exception e when e == exn -> ());
    check_int (name ^ ": nothing was added") 1_000 (M.length m);
    M.add_all m (Array.init 500 (fun i -> ((2 * i) + 1, ())));
    check_int (name ^ ": and it goes on") 1_500 (M.length m);
    check name (M.mem m 501 && not (M.mem m 1_501))
  in
  on_each_size (fun () -> List.iter (fun (name, m) -> List.iter (try_one name m) fatal) maps)

let it_ends_a_batch_of_a_queue () =
  let try_one ~before exn =
    let q = Queue.create () in
    Queue.push_all q (Array.init before (fun i -> (i, ())));
    let pushed = Array.init 2_000 (fun i -> (before + i, ())) in
    (match armed exn (fun () -> Queue.push_all q pushed) with
    | () -> Alcotest.failf "%s was swallowed" (Printexc.to_string exn)
    | exception e when e == exn -> ());
    let length = Queue.length q in
    let taken = Queue.pop_many q max_int in
    check_int "as many as there are" length (Array.length taken);
    Array.iteri (fun i (p, ()) -> if i > 0 then check "in order" (fst taken.(i - 1) <= p)) taken;
    check_int "empty" 0 (Queue.length q)
  in
  on_each_size (fun () -> List.iter (fun before -> List.iter (try_one ~before) fatal) [ 0; 100; 10_000 ])

(* The batch function itself ends with an exception when all operations have their results: the caller that
   has run it gets the exception. *)
let it_is_not_lost_when_all_have_results () =
  let module Late = Weft_batch.Make (struct
    include Subject

    let run =
      Some
        (fun t ops ->
          Option.get Subject.run t ops;
          raise Sys.Break)
  end) in
  on_each_size (fun () ->
      let b = Late.create (Subject.make ()) in
      (match Late.exec_many b [| Subject.Add 1; Add 2 |] with
      | _ -> Alcotest.fail "lost"
      | exception Sys.Break -> ());
      check_int "all were applied" 3 (Late.exec b Get))

(* A handler raises every millisecond, whatever the main thread does: tasks, callers in line, batches. If a
   caller was told that its operation was applied, it was. Nobody waits for ever, and only one at a time is
   inside the structure. *)
open Testing_pools.Alarms

let () =
  let report exn _ =
    if exn <> Alarm then Printf.eprintf "uncaught exception: %s\n%!" (Printexc.to_string exn)
  in
  Weft.set_uncaught_handler report

let a_handler_that_raises_in_a_pool () =
  let map = Avl.create () in
  let s = Subject.make () in
  let b = B.create s in
  let added = Array.make 4_000 false and counted = Atomic.make 0 and called = Atomic.make 0 in
  let work i =
    Atomic.incr called;
    Avl.add map i ();
    added.(i) <- true;
    if i mod 5 = 0 then B.exec b (Call Weft.yield)
    else begin
      B.exec b (Call (fun () -> s.value <- s.value + 1));
      Atomic.incr counted
    end
  in
  for k = 0 to 3 do
    let all () = each (1_000 * k) (1_000 * (k + 1)) (fun i -> try work i with Alarm -> ()) in
    try
      with_alarms ~every:0.001 (fun start ->
          start ();
          Weft.run all)
    with Alarm -> ()
  done;
  (* What an interrupted [run] has left behind goes on; then nobody is inside. *)
  B.quiesce b;
  Avl.quiesce map;
  Array.iteri (fun i was -> if was then check "what was acknowledged is there" (Avl.mem map i)) added;
  let acknowledged = Atomic.get counted in
  B.exclusive b (fun s ->
      if s.value < acknowledged then Alcotest.failf "%d were acknowledged, %d applied" acknowledged s.value;
      check "no more than were called" (s.value <= Atomic.get called))

(* The batch runs in the pool while its caller waits outside: nobody is let in before it has ended. *)
let a_handler_that_raises_outside () =
  let b = B.create ~cutoff:(`Fixed 1) (Subject.make ()) in
  for _ = 1 to 5 do
    let slow = Subject.Call (fun () -> Weft.sleep 0.01) in
    (match
       with_alarms ~every:0.003 (fun start ->
           start ();
           B.exec_many b [| slow; slow |])
     with
    | _ -> ()
    | exception Alarm -> ());
    check_int "alone" 0 (B.exec b Get)
  done

(* --- Ctrl-C --- *)

let with_break f =
  let handled = Atomic.make false in
  let handler _ =
    Atomic.set handled true;
    raise Sys.Break
  in
  let before = Sys.signal Sys.sigint (Signal_handle handler) in
  Fun.protect ~finally:(fun () -> Sys.set_signal Sys.sigint before) (fun () -> f handled)

(* The signal comes in the middle of a batch, whose other half is applied all the same. A caller from
   outside may have submitted its call and not wait for it yet: until it does, anybody may get the signal. *)
let interrupts_once (s : Subject.t) handled =
  let sent = Atomic.make false in
  s.break <-
    (fun _ ->
      if not (Atomic.exchange sent true) then begin
        while Weft_scheduler.Signals.computations () = 0 do
          Weft.yield ()
        done;
        Unix.kill (Unix.getpid ()) Sys.sigint;
        while not (Atomic.get handled) do
          Weft.yield ()
        done
      end)

(* Batches are whole, acknowledged operations are there, all callers have left, and the structure goes on. *)
let ctrl_c_in_a_batch domains () =
  with_break @@ fun handled ->
  let s : Subject.t = Subject.make () in
  let b = B.create ~cutoff:(`Fixed 1) s in
  interrupts_once s handled;
  let size = 4 and callers = 6 in
  let entered = Atomic.make 0 and left = Atomic.make 0 and told = Atomic.make 0 in
  let call _ =
    Atomic.incr entered;
    Fun.protect ~finally:(fun () -> Atomic.incr left) @@ fun () ->
    for _ = 1 to 3 do
      ignore (B.exec_many b (Array.init size (fun _ -> Subject.Add 1)) : int array);
      Atomic.incr told
    done
  in
  (match Weft.run ~domains (fun () -> each 0 callers call) with
  | () -> Alcotest.fail "no exception"
  | exception Sys.Break -> ());
  check_int "have left" (Atomic.get entered) (Atomic.get left);
  check_int "nobody is there" 0 s.inside;
  check_int "whole batches" 0 (s.value mod size);
  check "what they were told of" (s.value >= size * Atomic.get told);
  check_int "it goes on" s.value (Weft.run ~domains (fun () -> B.exec b Get))

(* The caller leaves; the next one finds the whole batch applied. *)
let ctrl_c_in_a_batch_from_outside () =
  with_break @@ fun handled ->
  let s : Subject.t = Subject.make () in
  let b = B.create ~cutoff:(`Fixed 1) s in
  interrupts_once s handled;
  (match B.exec_many b (Array.init 4 (fun _ -> Subject.Add 1)) with
  | _ -> Alcotest.fail "no exception"
  | exception Sys.Break -> ());
  check_int "a whole batch" 4 (B.exec b Get);
  check_int "nobody is there" 0 s.inside

let tests =
  [
    case "Ctrl-C in a batch, 1 domain" (ctrl_c_in_a_batch 1);
    case "Ctrl-C in a batch, 2 domains" (ctrl_c_in_a_batch 2);
    case "Ctrl-C in a batch, 8 domains" (ctrl_c_in_a_batch 8);
    case "Ctrl-C in a batch, from outside" ctrl_c_in_a_batch_from_outside;
    case "what is no comparison's ends a batch of a map" it_ends_a_batch_of_a_map;
    case "what is no comparison's ends a batch of a queue" it_ends_a_batch_of_a_queue;
    case "an exception is not lost when all have results" it_is_not_lost_when_all_have_results;
    case "a handler that raises, in a pool" a_handler_that_raises_in_a_pool;
    case "a handler that raises, outside of any" a_handler_that_raises_outside;
  ]
