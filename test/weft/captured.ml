open Support
open Effect.Deep

(* A handler in a pool captures a computation, and it is continued elsewhere. Each construct goes on there, to
   the same result. *)

type _ Effect.t += Ask : int Effect.t
type kept = (int, int) continuation

let capture (f : unit -> int) : kept =
  let kept = ref None in
  let keep (k : kept) =
    kept := Some k;
    0
  in
  let effc (type b) (e : b Effect.t) : ((b, int) continuation -> int) option =
    match e with Ask -> Some keep | _ -> None
  in
  ignore (try_with f () { effc } : int);
  Option.get !kept

(* Once in each computation. *)
let asking () =
  let asked = Atomic.make false in
  fun () -> if Atomic.exchange asked true then 7 else Effect.perform Ask

let n = 3_000
let sum_to n = n * (n + 1) / 2
let numbers () = Weft.Array.init n (fun i -> i * 7919 mod n)
let key = Weft.Local.Task_local.create ~default:0

(* With an [ask] that is answered by 7. *)
let constructs : (string * int * ((unit -> int) -> int)) list =
  let comparing ask a b =
    ignore (ask () : int);
    Int.compare a b
  in
  let rising a = Array.for_all Fun.id (Array.mapi (fun i x -> i = x) a) in
  let later ask i = if i >= n / 2 then ask () else 0 in
  [
    ( "par, on the left",
      9,
      fun ask ->
        let a, b = Weft.par ask (fun () -> 2) in
        a + b );
    ( "par, on the right",
      9,
      fun ask ->
        let a, b = Weft.par (fun () -> 2) ask in
        a + b );
    ( "par, deep",
      7 + fib_of 12,
      fun ask ->
        let a, b =
          Weft.par
            (fun () ->
              fst
                (Weft.par
                   (fun () ->
                     let v = ask () in
                     Weft.yield ();
                     v)
                   (fun () -> fib 8)))
            (fun () -> fib 12)
        in
        a + b );
    ( "par, then par",
      14,
      fun ask ->
        let v = fst (Weft.par ask ignore) in
        let a, b = Weft.par (fun () -> v) (fun () -> v) in
        a + b );
    ( "a right side that fails",
      7,
      fun ask -> try fst (Weft.par ask (fun () -> raise (Planned 1))) with Planned _ -> 7 );
    ( "a left side that fails",
      7,
      fun ask ->
        try fst (Weft.par (fun () -> raise (Planned (ask ()))) (fun () -> fib 12)) with Planned n -> n );
    ("all", 10, fun ask -> List.fold_left ( + ) 0 (Weft.all [ (fun () -> 1); ask; (fun () -> 2) ]));
    ( "parallel_for",
      n,
      fun ask ->
        let sum = Atomic.make 0 in
        Weft.parallel_for ~start:1 ~finish:n
          ~body:(fun i ->
            ignore (later ask i : int);
            Atomic.incr sum)
          ();
        Atomic.get sum );
    ( "a short loop",
      40,
      fun ask ->
        let sum = Atomic.make 0 in
        let loop () =
          Weft.parallel_for ~start:1 ~finish:20
            ~body:(fun i ->
              if Atomic.get sum >= 20 && i = 5 then ignore (ask () : int);
              Atomic.incr sum)
            ()
        in
        loop ();
        loop ();
        Atomic.get sum );
    ( "a loop in chunks",
      n,
      fun ask ->
        let sum = Atomic.make 0 in
        Weft.parallel_for ~chunk_size:10 ~start:1 ~finish:n
          ~body:(fun i ->
            ignore (later ask i : int);
            Atomic.incr sum)
          ();
        Atomic.get sum );
    ( "a loop in a loop",
      900,
      fun ask ->
        let sum = Atomic.make 0 in
        Weft.parallel_for ~start:1 ~finish:30
          ~body:(fun i ->
            Weft.parallel_for ~start:1 ~finish:30
              ~body:(fun k ->
                if i = 10 && k = 10 then ignore (ask () : int);
                Atomic.incr sum)
              ())
          ();
        Atomic.get sum );
    ( "parallel_for_reduce",
      sum_to n,
      fun ask ->
        Weft.parallel_for_reduce ~start:1 ~finish:n
          ~body:(fun i ->
            ignore (later ask i : int);
            i)
          ( + ) 0 );
    ( "a reduction that fails",
      7,
      fun ask ->
        try
          Weft.parallel_for_reduce ~start:1 ~finish:n
            ~body:(fun i -> if i = n / 2 then raise (Planned (ask ())) else i)
            ( + ) 0
        with Planned n -> n );
    ( "parallel_find",
      7,
      fun ask ->
        Option.get
          (Weft.parallel_find ~start:1 ~finish:n
             ~body:(fun i -> if i = 1_000 then Some (ask ()) else None)
             ()) );
    ( "parallel_find_first",
      7,
      fun ask ->
        Option.get
          (Weft.parallel_find_first ~start:1 ~finish:n
             ~body:(fun i -> if i = 1_000 then Some (ask ()) else None)
             ()) );
    ( "Array.map",
      sum_to n,
      fun ask ->
        let a =
          Weft.Array.map
            (fun i ->
              ignore (later ask i : int);
              i + 1)
            (Array.init n Fun.id)
        in
        Array.fold_left ( + ) 0 a );
    ( "Array.sort",
      1,
      fun ask ->
        let a = numbers () in
        Weft.Array.sort (comparing ask) a;
        Bool.to_int (rising a) );
    ( "Array.sort, of few",
      1,
      fun ask ->
        let a = Array.init 30 (fun i -> 29 - i) in
        Weft.Array.sort (comparing ask) a;
        Bool.to_int (rising a) );
    ( "Array.integer_sort",
      1,
      fun ask ->
        let a = numbers () in
        Weft.Array.integer_sort
          ~key:(fun i ->
            ignore (later ask i : int);
            i)
          a;
        Bool.to_int (rising a) );
    ( "Array.merge",
      2 * n,
      fun ask ->
        let a = Array.init n Fun.id in
        Array.length (Weft.Array.merge (comparing ask) a a) );
    ("Array.kth_smallest", 10, fun ask -> Weft.Array.kth_smallest (comparing ask) 10 (numbers ()));
    ( "Array.scan",
      sum_to n,
      fun ask ->
        let add a b =
          if a > n then ignore (ask () : int);
          a + b
        in
        (Weft.Array.scan add (Array.init n succ)).(n - 1) );
    ( "Array.histogram",
      n,
      fun ask ->
        Array.fold_left ( + ) 0
          (Weft.Array.histogram ~buckets:16
             (fun i ->
               ignore (later ask i : int);
               i mod 16)
             (numbers ())) );
    ( "Array.group_by",
      3,
      fun ask ->
        Array.length
          (Weft.Array.group_by
             ~key:(fun i ->
               ignore (later ask i : int);
               i mod 3)
             (numbers ())) );
    ( "Seq",
      sum_to n,
      fun ask ->
        Weft.Seq.reduce ( + ) 0
          (Weft.Seq.map
             (fun i ->
               ignore (later ask i : int);
               i)
             (Weft.Seq.of_range 1 n)) );
    ( "a scope, before its tasks have ended",
      9,
      fun ask ->
        Weft.Scope.run (fun s ->
            let go = Weft.Ivar.create () in
            let p = Weft.Scope.async s (fun () -> Weft.Ivar.read go) in
            let v = ask () in
            Weft.Scope.start s (fun () -> Weft.yield ());
            Weft.Ivar.fill go 2;
            v + Weft.await p) );
    ( "a scope whose end answers",
      7,
      fun ask ->
        let p = Weft.Scope.run (fun s -> Weft.Scope.async s ask) in
        Weft.await p );
    ("await", 7, fun ask -> Weft.await (Weft.async ask));
    ( "await, of a task that runs",
      7,
      fun ask ->
        let p = start_waiting ask in
        Weft.await p );
    ( "Limit.run",
      7,
      fun ask ->
        Weft.Limit.run (Weft.Limit.create 1) (fun () ->
            let v = ask () in
            Weft.yield ();
            v) );
    ( "Task_local.with_value",
      7,
      fun ask ->
        Weft.Local.Task_local.with_value key 5 (fun () ->
            let v = ask () in
            Weft.yield ();
            v) );
    ( "Cancel.with_timeout",
      7,
      fun ask ->
        Weft.Cancel.with_timeout 1e6 (fun () ->
            let v = ask () in
            Weft.yield ();
            v) );
    ( "Cancel.within",
      7,
      fun ask ->
        Weft.Cancel.within (Weft.Cancel.create ()) (fun () ->
            let v = ask () in
            Weft.yield ();
            v) );
    ( "Cancel.shield",
      7,
      fun ask ->
        Weft.Cancel.shield (fun () ->
            let v = ask () in
            Weft.yield ();
            v) );
    ("Once.get", 7, fun ask -> Weft.Once.get (Weft.Once.make ask));
    ("Select", 7, fun ask -> Weft.Select.(select [ guard (fun () -> always (ask ())) ]));
    ("Trace.region", 7, fun ask -> Weft.Trace.region "captured" ask);
    ( "pipeline",
      6 + 21,
      fun ask ->
        let left = ref [ 1; 2; 3 ] in
        let next () =
          match !left with
          | [] -> None
          | x :: others ->
              left := others;
              Some x
        in
        List.fold_left ( + ) 0
          (Weft.pipeline_to_list next (Weft.Stage.parallel (fun x -> x + if x = 2 then ask () + 14 else 0)))
    );
    ( "speculative_for",
      n,
      fun ask ->
        let sum = Atomic.make 0 in
        Weft.speculative_for ~start:1 ~finish:n
          ~reserve:(fun i ->
            ignore (later ask i : int);
            true)
          ~commit:(fun _ ->
            Atomic.incr sum;
            true)
          ();
        Atomic.get sum );
    ( "a message",
      7,
      fun ask ->
        let c = Weft.Chan.bounded 1 in
        let p = Weft.async (fun () -> Weft.Chan.recv c) in
        Weft.Chan.send c (ask ());
        Weft.await p );
  ]

(* Collections, and forks of threads outside, would find what does not belong there. *)
let continue_here k =
  let v = continue k 7 in
  ignore (Weft.par ignore ignore : unit * unit);
  Gc.minor ();
  v

let in_thread k =
  let v = ref 0 in
  Thread.join (Thread.create (fun () -> v := continue_here k) ());
  !v

let places : (string * (Weft.Pool.t -> kept -> int)) list =
  [
    ("outside", fun _ k -> continue_here k);
    ("in a thread", fun _ k -> in_thread k);
    ( "in Weft.blocking",
      fun other k -> Weft.Pool.run other (fun () -> Weft.blocking (fun () -> continue_here k)) );
    ("in another pool", fun other k -> Weft.Pool.run other (fun () -> continue_here k));
    ( "in another task",
      fun other k -> Weft.Pool.run other (fun () -> Weft.await (Weft.async (fun () -> continue_here k))) );
  ]

let goes_on (name, expected, f) =
  case name @@ fun () ->
  List.iter
    (fun domains ->
      Weft.Pool.with_pool ~domains @@ fun other ->
      List.iter
        (fun (where, continue_in) ->
          let what = Printf.sprintf "%s, %d domains" where domains in
          let open_ () =
            Weft.Pool.with_pool ~domains @@ fun p ->
            continue_in other (Weft.Pool.run p (fun () -> capture (fun () -> f (asking ()))))
          in
          watched (fun () -> what) @@ fun () ->
          for _ = 1 to Int.max 1 (tries 2) do
            Alcotest.(check int) what expected (open_ ())
          done)
        places)
    sizes

(* As the documentation says, its locks belong to the fiber that has taken them. *)
let locks () =
  let refused f =
    Weft.run (fun () -> capture f) |> fun k -> raises_invalid "a lock" "Weft." (fun () -> continue k 7)
  in
  refused (fun () -> Weft.Mutex.protect (Weft.Mutex.create ()) (asking ()));
  refused (fun () -> Weft.Rwlock.write (Weft.Rwlock.create ()) (asking ()))

let tests = List.map goes_on constructs @ [ case "locks stay with their fiber" locks ]
