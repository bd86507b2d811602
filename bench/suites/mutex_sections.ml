open Weft_bench_harness
open Weft_bench_contestants

(* All parties begin together. Each takes the mutex until the counter, which only the mutex protects, is [n].
   The result is how many of these locks they have made, and the time since they began. *)
let part ~parties ~run ~yield ~lock ~unlock ~section ~counter mutex n =
  let there = Atomic.make 0 and from = Atomic.make 0. in
  let rec party own =
    lock mutex;
    let before = !counter in
    if before < n then begin
      section ();
      counter := before + 1;
      unlock mutex;
      party (own + 1)
    end
    else begin
      unlock mutex;
      own
    end
  in
  let begin_together () =
    if Atomic.fetch_and_add there 1 = parties - 1 then Atomic.set from (Clock.now ());
    while Atomic.get from = 0. do
      yield ()
    done;
    party 0
  in
  let locks = List.fold_left ( + ) 0 (run (List.init parties (fun _ -> begin_together))) in
  (locks, Clock.now () -. Atomic.get from)

(* So many waits are kept, evenly spread over a run, and each that is longer than all before it. *)
let most_waits = 1_000_000

let program ~parties ~run ~yield ~lock ~unlock ~section make n =
  let each = 1 + ((n - 1) / most_waits) in
  let mutex = make () and waits = Array.make ((n + each - 1) / each) 0. and longest = ref 0. in
  fun () ->
    let part ~lock counter = part ~parties ~run ~yield ~lock ~unlock ~section ~counter mutex n in
    let first, seconds = part ~lock (ref 0) in
    let counter = ref 0 in
    let timed mutex =
      let asked = Clock.now () in
      lock mutex;
      if !counter < n then begin
        let wait = Clock.now () -. asked in
        if !counter mod each = 0 || wait > !longest then waits.(!counter / each) <- wait;
        if wait > !longest then longest := wait
      end
    in
    let second, (_ : float) = part ~lock:timed counter in
    (first + second, (seconds, waits))

let way contestant ~section program : Benchmark.way =
  let work ({ size; domains; _ } : Benchmark.params) =
    let operations = section * Microseconds.per_microsecond () / 1_000 in
    let section () = if operations > 0 then Microseconds.spend operations in
    Some
      (Benchmark.Work
         {
           prepare = (fun () -> program ~parties:domains ~section size);
           compute = (fun run -> run ());
           check = (fun (locks, _) -> Operations.count "locks" (2 * size) locks);
           forks = None;
           figures =
             (fun ~seconds:_ (_, (seconds, waits)) ->
               Figure.operations ~what:"lock" ~seconds size
               @ Figure.distribution ~tail:true ~what:"wait" waits
               @ [ Microseconds.figure () ]);
         })
  in
  { contestant; work }

let fibers ~parties ~section =
  program ~parties ~section ~run:Weft_pool.run ~yield:Weft.yield
    ~lock:(fun m -> Weft.Mutex.lock m)
    ~unlock:Weft.Mutex.unlock Weft.Mutex.create

let stdlib ~parties ~section =
  program ~parties ~section ~run:Threads.run ~yield:Thread.yield ~lock:Mutex.lock ~unlock:Mutex.unlock
    Mutex.create

(* [section] is in nanoseconds. *)
let benchmark (section, name, held, default_size) =
  {
    (Operations.benchmark ~group:"mutex" ~name:("mutex_section_" ^ name)
       ~doc:(Printf.sprintf "a mutex held for %s by one party for each domain, in turn" held)
       ~size_doc:"how often the mutex is locked, and then once more with each lock timed" ~default_size
       [ way Weft_pool.fibers ~section fibers; way Threads.stdlib ~section stdlib ])
    with
    sizes = (0, 10_000_000_000);
    (* The time of a run includes the timed part. *)
    paced = true;
  }

let benchmarks =
  List.map benchmark
    [
      (0, "0", "a moment", 200_000);
      (100, "100ns", "100 ns", 200_000);
      (1_000, "1us", "1 us", 50_000);
      (10_000, "10us", "10 us", 10_000);
    ]
