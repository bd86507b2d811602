open Weft_bench_harness
open Weft_bench_contestants

(* The wake-ups follow one after the other: when each was asked for, when the woken code ran, and the
   promise, if it waits for one. *)
type state = { asked : float array; ran : float array; promises : unit Weft.promise array }

let pause = 0.003

let state n =
  {
    asked = Array.make n nan;
    ran = Array.make n nan;
    promises = Array.init n (fun _ -> Weft.Promise.create ());
  }

let ask s i = s.asked.(i) <- Clock.now ()

let resolve s i =
  ask s i;
  Weft.Promise.resolve s.promises.(i) ()

(* Starts a task that awaits all promises, one after the other. How long it takes to begin does not count. *)
let listener s =
  let began = Weft.Promise.create () in
  let task =
    Weft.async (fun () ->
        Weft.Promise.resolve began ();
        Array.iteri
          (fun i promise ->
            Weft.await promise;
            s.ran.(i) <- Clock.now ())
          s.promises)
  in
  Weft.await began;
  task

(* --- who makes something ready --- *)

(* The thread has a domain of its own: a thread of the main domain would get that domain's lock from the
   worker only now and then. *)
let in_domain f =
  let ended = Weft.Promise.create () in
  let domain =
    Domain.spawn (fun () ->
        f ();
        Weft.Promise.resolve ended ())
  in
  Weft.await ended;
  Domain.join domain

let each s f =
  for i = 0 to Array.length s.asked - 1 do
    Unix.sleepf pause;
    f i
  done

let by_thread s =
  let listener = listener s in
  in_domain (fun () -> each s (resolve s));
  Weft.await listener

let by_task s =
  let pool = Option.get (Weft.Pool.current ()) in
  let run i () =
    s.ran.(i) <- Clock.now ();
    Weft.Promise.resolve s.promises.(i) ()
  in
  in_domain (fun () ->
      each s (fun i ->
          ask s i;
          ignore (Weft.Pool.async pool (run i) : unit Weft.promise)));
  Array.iter Weft.await s.promises

let by_handler s =
  let next = Atomic.make 0 in
  let handle _ =
    let i = Atomic.fetch_and_add next 1 in
    if i < Array.length s.asked then resolve s i
  in
  let before = Sys.signal Sys.sigusr1 (Signal_handle handle) in
  let listener = listener s in
  (* Each signal waits until the one before has been handled, since equal pending signals merge into one. *)
  in_domain (fun () ->
      ignore (Thread.sigmask SIG_BLOCK [ Sys.sigusr1 ] : int list);
      each s (fun i ->
          Unix.kill (Unix.getpid ()) Sys.sigusr1;
          while Atomic.get next <= i do
            Unix.sleepf 0.0001
          done));
  Weft.await listener;
  Sys.set_signal Sys.sigusr1 before

(* Iterations of some 10 us. *)
let by_body s =
  let n = Array.length s.asked in
  let listener = listener s in
  let next = Atomic.make 0 and due = Atomic.make (Clock.now () +. pause) in
  (try
     Weft.parallel_for ~start:1 ~finish:max_int
       ~body:(fun _ ->
         Busy.spin 10_000;
         let was = Atomic.get due in
         let now = Clock.now () in
         if now >= was && Atomic.compare_and_set due was (now +. pause) then begin
           let i = Atomic.fetch_and_add next 1 in
           if i < n then resolve s i else raise Exit
         end)
       ()
   with Exit -> ());
  Weft.await listener

let by_timer s =
  Array.iteri
    (fun i _ ->
      s.asked.(i) <- Clock.now () +. pause;
      Weft.sleep pause;
      s.ran.(i) <- Clock.now ())
    s.promises

let by_pool s =
  let listener = listener s in
  in_domain (fun () ->
      Weft_pool.with_pool ~domains:1 (fun other ->
          Weft.Pool.run other (fun () ->
              Array.iteri
                (fun i _ ->
                  Weft.sleep pause;
                  resolve s i)
                s.promises)));
  Weft.await listener

(* --- the benchmarks --- *)

let way load (name, doc, wake) : Benchmark.way =
  let work ({ size; domains; cutoff = _ } : Benchmark.params) =
    Some
      (Benchmark.Work
         {
           prepare =
             (fun () () ->
               let s = state size in
               if size > 0 then Busy.beside load ~domains (fun () -> wake s);
               Array.map2 (fun ran asked -> ran -. asked) s.ran s.asked);
           compute = (fun run -> run ());
           check = Timers.check_delays size;
           forks = None;
           figures = (fun ~seconds:_ all -> Figure.distribution ~what:"late" all);
         })
  in
  { contestant = { name; doc; role = Contender; inside = Weft_pool.fibers.inside }; work }

let wakers =
  [
    ("thread", "a thread outside of the pool resolves the promise that a fiber awaits", by_thread);
    ("task", "a thread outside of the pool starts a task by Weft.Pool.async", by_task);
    ("handler", "the handler of a signal resolves the promise that a fiber awaits", by_handler);
    ("body", "an iteration of a loop resolves the promise that a fiber awaits", by_body);
    ("timer", "the time has come that a fiber sleeps until", by_timer);
    ("pool", "a fiber of another pool resolves the promise that a fiber awaits", by_pool);
  ]

let benchmark (load : Busy.load) =
  {
    (Operations.benchmark ~group:"ready" ~name:("ready_" ^ load.name)
       ~doc:("how late what is ready runs in a pool full of " ^ load.doc)
       ~size_doc:"how often, one after the other" ~default_size:200
       (List.map (way load) wakers))
    with
    paced = true;
    quick_size = Fun.const 5;
  }

let benchmarks = List.map benchmark Busy.[ forks; loops; sorts; batches; semaphores; channels ]
