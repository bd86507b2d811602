open Weft_bench_contestants
module Figure = Weft_bench_harness.Figure

let parties = 8

(* In [program ~parties ~inside ...] the parties together take the lock [n] times. The holder adds one to a
   counter that only the lock protects, and calls [inside] between reading and writing it. *)
let program ~parties ~run ~lock ~unlock ~inside make ~domains:_ n =
  let mutex = make () and counter = ref 0 in
  let party k () =
    for _ = 1 to (n - k + parties - 1) / parties do
      lock mutex;
      let before = !counter in
      inside ();
      counter := before + 1;
      unlock mutex
    done
  in
  fun () ->
    ignore (run (List.init parties party) : unit list);
    !counter

let kind : int Operations.kind =
  { figures = Figure.operations ~what:"lock"; check = Operations.count "locks" }

let fibers ~parties ~inside =
  Operations.way Weft_pool.fibers kind
    (program ~parties ~inside ~run:Weft_pool.run
       ~lock:(fun m -> Weft.Mutex.lock m)
       ~unlock:Weft.Mutex.unlock Weft.Mutex.create)

let threads ?on ~parties ~inside () =
  Operations.way ?on Threads.contestant kind
    (program ~parties ~inside ~run:Threads.run ~lock:Mutex.lock ~unlock:Mutex.unlock Mutex.create)

let benchmark = Operations.benchmark ~group:"mutex" ~size_doc:"how often the mutex is locked"

let benchmarks =
  let nothing () = () in
  [
    benchmark ~name:"mutex_uncontended" ~doc:"a mutex locked and unlocked by one party"
      ~default_size:30_000_000
      [
        fibers ~parties:1 ~inside:nothing;
        threads ~on:(fun domains -> domains = 1) ~parties:1 ~inside:nothing ();
      ];
    benchmark ~name:"mutex_contended"
      ~doc:(Printf.sprintf "a mutex locked by %d parties for a moment each" parties)
      ~default_size:2_000_000
      [ fibers ~parties ~inside:nothing; threads ~parties ~inside:nothing () ];
    benchmark ~name:"mutex_waiting"
      ~doc:(Printf.sprintf "a mutex locked by %d parties, which yield with it held" parties)
      ~default_size:500_000
      [ fibers ~parties ~inside:Weft.yield; threads ~parties ~inside:Thread.yield () ];
  ]
