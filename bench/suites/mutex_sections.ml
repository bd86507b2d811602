open Weft_bench_harness
open Weft_bench_contestants

(* Each party takes the mutex until the counter, which only the mutex protects, is [n]; the result is how many
   of these locks each has made. *)
let part ~parties ~run ~lock ~unlock ~section ~counter mutex n =
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
  List.fold_left ( + ) 0 (run (List.init parties (fun _ () -> party 0)))

let program ~parties ~run ~lock ~unlock ~section make n =
  let mutex = make () and waits = Array.make n 0. in
  fun () ->
    let part ~lock counter = part ~parties ~run ~lock ~unlock ~section ~counter mutex n in
    let from = Clock.now () in
    let first = part ~lock (ref 0) in
    let seconds = Clock.now () -. from in
    let counter = ref 0 in
    let timed mutex =
      let asked = Clock.now () in
      lock mutex;
      if !counter < n then waits.(!counter) <- Clock.now () -. asked
    in
    let second = part ~lock:timed counter in
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
  program ~parties ~section ~run:Weft_pool.run
    ~lock:(fun m -> Weft.Mutex.lock m)
    ~unlock:Weft.Mutex.unlock Weft.Mutex.create

let stdlib ~parties ~section =
  program ~parties ~section ~run:Threads.run ~lock:Mutex.lock ~unlock:Mutex.unlock Mutex.create

(* [section] is in nanoseconds. *)
let benchmark (section, name, default_size) =
  {
    (Operations.benchmark ~group:"mutex" ~name:("mutex_section_" ^ name)
       ~doc:(Printf.sprintf "a mutex held for %s, one party for each domain" name)
       ~size_doc:"how often the mutex is locked, and then once more with each lock timed" ~default_size
       [ way Weft_pool.fibers ~section fibers; way Threads.stdlib ~section stdlib ])
    with
    sizes = (0, 100_000_000);
    (* The time of a run includes the timed part. *)
    paced = true;
  }

let benchmarks =
  List.map benchmark
    [ (0, "0", 200_000); (100, "100ns", 200_000); (1_000, "1us", 50_000); (10_000, "10us", 10_000) ]
