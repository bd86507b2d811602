open Support
module Deque = Weft_scheduler.Deque
module Worker = Weft_scheduler.Worker

(* A request for preemption is a state of the worker's deque: whether a function took the request does not
   depend on how fast it is. *)

let deque () = (Option.get (Worker.current ())).deque

(* --- how often long functions poll --- *)

(* The most calls of [call] that [operation call] makes between a request and the poll that takes it. *)
let calls_without_poll operation =
  let since = ref 0 and most = ref 0 in
  let call () =
    let d = deque () in
    if Deque.is_preempt_requested d then incr since
    else begin
      since := 0;
      Deque.request_preempt d
    end;
    most := Int.max !most !since
  in
  operation call;
  !most

let alone f = Weft.run ~domains:1 f

(* With jobs that nobody can take: the other worker is busy. *)
let with_rich_deque f =
  Weft.run ~domains:2 @@ fun () ->
  let is_there = Atomic.make false and over = Atomic.make false in
  let until flag () =
    while not (Atomic.get flag) do
      Domain.cpu_relax ()
    done
  in
  let other =
    Weft.async (fun () ->
        Atomic.set is_there true;
        until over ())
  in
  until is_there ();
  let jobs = List.init 100 (fun _ -> Weft.async ignore) in
  Fun.protect f ~finally:(fun () -> Atomic.set over true);
  List.iter Weft.await (other :: jobs)

(* A call that takes as long as this: loops and merges make their blocks by time. *)
let slowly call =
  spin 500;
  call ()

let n = 3000
let shuffled = Array.init n (fun i -> i * 7919 mod 10_007)

(* Where there are 8 pieces for each worker, or 64. *)
let long () = Array.concat (List.init 25 (fun _ -> shuffled))

let long_functions =
  let strings = Array.map (Printf.sprintf "%08d") shuffled
  and floats = Float.Array.map_from_array float shuffled in
  let by compare call x y =
    slowly call;
    compare x y
  in
  let slow call x =
    slowly call;
    x
  in
  [
    ( "Array.histogram",
      fun call -> ignore (Weft.Array.histogram ~buckets:4 (fun x -> slow call x land 3) (long ())) );
    ( "Array.reduce_by_index",
      fun call ->
        let add x y = slow call x + y and pairs = Array.map (fun x -> (x land 1, x)) (long ()) in
        ignore (Weft.Array.reduce_by_index ~buckets:2 add 0 pairs) );
    ( "Seq.fold_left",
      fun call -> Weft.Seq.fold_left (fun () (_ : int) -> slowly call) () (Weft.Seq.of_array shuffled) );
    ( "Seq.fold_left of short sequences",
      fun call ->
        let inner _ = Weft.Seq.of_range 0 99 in
        Weft.Seq.fold_left
          (fun () (_ : int) -> slowly call)
          ()
          (Weft.Seq.flat_map inner (Weft.Seq.of_range 0 99)) );
    ("Array.sort", fun call -> Weft.Array.sort (by String.compare call) (Array.copy strings));
    ("Array.sort, ints", fun call -> Weft.Array.sort (by Int.compare call) (Array.copy shuffled));
    ("Array.sort_uniq", fun call -> ignore (Weft.Array.sort_uniq (by String.compare call) strings));
    ("Array.rank", fun call -> ignore (Weft.Array.rank (by String.compare call) strings));
    ( "Array.sort_by_key",
      fun call -> Weft.Array.sort_by_key ~key:Fun.id (by String.compare call) (Array.copy strings) );
    ( "Array.merge",
      let sorted = Weft.Array.init n Fun.id in
      fun call -> ignore (Weft.Array.merge (by Int.compare call) sorted sorted) );
    ("List.sort", fun call -> ignore (Weft.List.sort (by String.compare call) (Array.to_list strings)));
    ( "Floatarray.stable_sort",
      fun call -> Weft.Floatarray.stable_sort (by Float.compare call) (Float.Array.copy floats) );
  ]

let most_calls = 1100

(* Blocks are made by time, so one attempt may have a longer one by chance. *)
let polls_often (what, operation) =
  let test where run () =
    let attempt () =
      let calls = ref 0 in
      run (fun () -> calls := calls_without_poll operation);
      let calls = !calls in
      if calls > most_calls then Error (Printf.sprintf "%d calls without a poll %s" calls where) else Ok ()
    in
    Testing.Watchdog.until_undisturbed (what ^ " polls") attempt
  in
  [
    case (what ^ " polls on one domain") (test "on one domain" alone);
    case (what ^ " polls with a rich deque") (all_at_once (test "with a rich deque" with_rich_deque));
  ]

(* --- the shortest calls --- *)

(* [test/costs] asks all functions, but with some elements. *)
let short_functions =
  let open Weft.Array in
  let one = [| 1 |] and broadcast = Weft.Broadcast.create 1 in
  let none _ = None and yes _ = true in
  [
    ("Array.exists", fun () -> ignore (exists yes one));
    ("Array.mem", fun () -> ignore (mem 1 one));
    ("Array.find_opt", fun () -> ignore (find_opt yes one));
    ("Array.find_map", fun () -> ignore (find_map none one));
    ("Array.map", fun () -> ignore (map Fun.id one));
    ("Array.iter", fun () -> iter ignore one);
    ("Array.reduce", fun () -> ignore (reduce ( + ) 0 one));
    ("Array.histogram", fun () -> ignore (histogram ~buckets:2 Fun.id one));
    ("Array.kth_smallest", fun () -> ignore (kth_smallest Int.compare 0 one));
    ("Array.merge", fun () -> ignore (merge Int.compare one one));
    ("Array.merge with nothing", fun () -> ignore (merge Int.compare one [||]));
    ("Array.sort", fun () -> sort Int.compare [| 2; 1 |]);
    ("Array.sort, strings", fun () -> sort String.compare [| "b"; "a" |]);
    ("Array.sort_by_key", fun () -> sort_by_key ~key:Fun.id Int.compare [| 2; 1 |]);
    ("List.sort", fun () -> ignore (Weft.List.sort Int.compare [ 2; 1 ]));
    ("List.exists", fun () -> ignore (Weft.List.exists yes [ 1 ]));
    ("Seq.fold_left", fun () -> ignore (Weft.Seq.fold_left ( + ) 0 (Weft.Seq.return 1)));
    ("Seq.exists", fun () -> ignore (Weft.Seq.exists yes (Weft.Seq.return 1)));
    ("Random.shuffle", fun () -> Weft.Random.shuffle (Weft.Random.make 1) one);
    ("parallel_find", fun () -> ignore (Weft.parallel_find ~start:1 ~finish:1 ~body:none ()));
    ("parallel_find_first", fun () -> ignore (Weft.parallel_find_first ~start:1 ~finish:1 ~body:none ()));
    ("parallel_for", fun () -> Weft.parallel_for ~start:1 ~finish:1 ~body:ignore ());
    ("all", fun () -> ignore (Weft.all [ ignore ]));
    ("all_settled", fun () -> ignore (Weft.all_settled [ ignore ]));
    ("run", fun () -> Weft.run ignore);
    ("Broadcast.send", fun () -> Weft.Broadcast.send broadcast ());
  ]

(* Another request may come right after the poll, but not in so many attempts. *)
let polls_in_short (what, call) =
  let rec attempt times =
    let d = deque () in
    Deque.request_preempt d;
    call ();
    (not (Deque.is_preempt_requested d)) || (times > 1 && attempt (times - 1))
  in
  case (what ^ " polls, however short") (fun () -> alone (fun () -> check what (attempt 100)))

let tests = List.concat_map polls_often long_functions @ List.map polls_in_short short_functions
