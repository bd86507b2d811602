(* A handler that does not raise runs while a computation goes on, whatever the computation does: at one of its
   polls. *)

open Support

(* [compute n step] calls [step ()] some [n] times, in tasks. *)
type computation = int -> (unit -> unit) -> unit

let forks : computation =
 fun n step ->
  let rec go n =
    step ();
    if n > 1 then ignore (Weft.par (fun () -> go (n / 2)) (fun () -> go (n - (n / 2))) : unit * unit)
  in
  go n

let tasks : computation =
 fun n step ->
  for _ = 1 to n do
    Weft.await (Weft.async step)
  done

let loop : computation = fun n step -> Weft.parallel_for ~start:1 ~finish:n ~body:(fun _ -> step ()) ()

let nested_loops : computation =
 fun n step -> loop (n / 10) (fun () -> Weft.parallel_for ~start:1 ~finish:10 ~body:(fun _ -> step ()) ())

let reduction : computation =
 fun n step ->
  let body i =
    step ();
    i
  in
  ignore (Weft.parallel_for_reduce ~start:1 ~finish:n ~body ( + ) 0 : int)

let scan : computation =
 fun n step ->
  let add a b =
    step ();
    a + b
  in
  ignore (Weft.parallel_scan add (Array.init n Fun.id) : int array)

let search : computation =
 fun n step ->
  let body _ =
    step ();
    None
  in
  ignore (Weft.parallel_find_first ~start:1 ~finish:n ~body () : unit option)

let filter : computation =
 fun n step ->
  let is_even i =
    step ();
    i mod 2 = 0
  in
  ignore (Weft.Array.filter is_even (Array.init n Fun.id) : int array)

let sort : computation =
 fun n step ->
  let compare a b =
    step ();
    Int.compare a b
  in
  Weft.Array.sort compare (Array.init n (fun i -> i * 7919 mod n))

let batch : computation =
 fun n step ->
  let counter = Weft_batch.Counter.create () in
  loop n (fun () ->
      step ();
      Weft_batch.Counter.incr counter)

let messages : computation =
 fun n step ->
  let channel = Weft.Chan.bounded 10 in
  let send () =
    for _ = 1 to n do
      Weft.Chan.send channel ()
    done
  and receive () =
    for _ = 1 to n do
      Weft.Chan.recv channel;
      step ()
    done
  in
  ignore (Weft.par send receive : unit * unit)

let yields : computation =
 fun n step ->
  for _ = 1 to n do
    step ();
    Weft.yield ()
  done

let checks : computation =
 fun n step ->
  for _ = 1 to n do
    step ();
    Weft.Cancel.check ()
  done

(* A longer computation is in its middle for longer. *)
let most = 4_000_000

(* The computation sends the signal after half of its first steps. If it has ended before the handler ran, a longer
   one is tried; and another one if the caller only waits for a fallback worker: then it polls while it waits. *)
let runs_within (compute : computation) () =
  on_each_size @@ fun p ->
  let steps = Atomic.make 0 and seen = Atomic.make 0 in
  Signals.with_handler Sys.sigusr1 (fun _ -> Atomic.set seen (Atomic.get steps)) @@ fun () ->
  let rec attempt n =
    Atomic.set steps 0;
    Atomic.set seen 0;
    let step () = if Atomic.fetch_and_add steps 1 = n / 2 then Signals.kill Sys.sigusr1 in
    let all, by_caller =
      Weft.Pool.run p (fun () ->
          let by_caller = Domain.is_main_domain () in
          compute n step;
          (Atomic.get steps, by_caller))
    in
    (* Else it might run in the middle of the next computation. *)
    wait_until "the handler has run" (fun () -> Atomic.get seen > 0);
    if (not by_caller) || Atomic.get seen = all then attempt (min most (2 * n))
  in
  attempt 1_000

let tests =
  let case (name, compute) = case ("a handler runs within " ^ name) (runs_within compute) in
  List.map case
    [
      ("forks", forks);
      ("tasks", tasks);
      ("a loop", loop);
      ("nested loops", nested_loops);
      ("a reduction", reduction);
      ("a scan", scan);
      ("a search", search);
      ("a filter", filter);
      ("a sort", sort);
      ("calls of a batched structure", batch);
      ("messages", messages);
      ("yields", yields);
      ("checks", checks);
    ]
