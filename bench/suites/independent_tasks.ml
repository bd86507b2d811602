open Weft_bench_harness
open Weft_bench_contestants

let in_a_run = 50_000
let tasks size = Spawn_await.at_once * max 1 (in_a_run / (size * Spawn_await.at_once))

let way contestant program : Benchmark.way =
  let work ({ size; _ } : Benchmark.params) =
    let n = tasks size and operations = size * Microseconds.per_microsecond () in
    let task () =
      Microseconds.spend operations;
      1
    in
    Some
      (Benchmark.Work
         {
           prepare = (fun () -> n);
           compute = program ~task;
           check = Operations.count "tasks" n;
           forks = None;
           figures =
             (fun ~seconds _ -> Figure.operations ~what:"task" ~seconds n @ [ Microseconds.figure () ]);
         })
  in
  { contestant; work }

let many ~spawn ~await ~task n = Spawn_await.many ~task ~spawn ~await n
let by contestant ~spawn ~await = way contestant (many ~spawn ~await)

(* {1 Methods} *)

let in_a_row ~task n =
  let sum = ref 0 in
  for _ = 1 to n do
    sum := !sum + task ()
  done;
  !sum

let by_scope ~task n =
  Weft.Scope.run (fun scope -> many ~spawn:(Weft.Scope.async scope) ~await:Weft.await ~task n)

let by_pool pool ~task n = many ~spawn:(fun task -> Weft.Pool.async (pool ()) task) ~await:Weft.await ~task n
let sizes = [ 1; 2; 4; 8; 16; 32 ]

let benchmark : Benchmark.t =
  {
    (Operations.benchmark ~name:"independent_tasks"
       ~doc:(Printf.sprintf "independent tasks, %d started and then awaited in order" Spawn_await.at_once)
       ~size_doc:"the work of one task in microseconds" ~default_size:(List.hd sizes)
       [
         way Plain.contestant in_a_row;
         by Weft_pool.async ~spawn:Weft.async ~await:Weft.await;
         way Weft_pool.scope_async by_scope;
         way Weft_pool.pool_async (by_pool (fun () -> Option.get (Weft.Pool.current ())));
         way Weft_pool.outside_async (by_pool Weft_pool.outside_pool);
       ])
    with
    sizes = (1, 1_000);
    more_sizes = List.tl sizes;
    quick_size = Fun.const 8;
    sweep_sizes = sizes;
  }
