open Weft_bench_contestants
module Figure = Weft_bench_harness.Figure

let at_once = 1_000

(* Starting and joining a thread takes some 20 us. *)
let for_threads = 100

(* The result is the number of tasks that have run. *)
let kind : int Operations.kind =
  { figures = Figure.operations ~what:"promise"; check = Operations.count "promises" }

let one_by_one ~spawn ~await ~domains:_ n () =
  let sum = ref 0 in
  for _ = 1 to n do
    sum := !sum + await (spawn (fun () -> 1))
  done;
  !sum

let many ~task ~spawn ~await n =
  let sum = ref 0 in
  let rec rounds left =
    if left > 0 then (
      let promises = List.init (min at_once left) (fun _ -> spawn task) in
      List.iter (fun promise -> sum := !sum + await promise) promises;
      rounds (left - at_once))
  in
  rounds n;
  !sum

let many_of_nothing ~spawn ~await ~domains:_ n () = many ~task:(fun () -> 1) ~spawn ~await n

(* {1 Methods} *)

let promises program = Operations.way Weft_pool.async kind (program ~spawn:Weft.async ~await:Weft.await)

type thread = { thread : Thread.t; result : int ref }

let spawn_thread f =
  let result = ref 0 in
  { thread = Thread.create (fun () -> result := f ()) (); result }

let join_thread { thread; result } =
  Thread.join thread;
  !result

(* In one domain: OCaml's threads stay in the domain that makes them. *)
let threads program =
  Operations.way ~part:for_threads
    ~on:(fun domains -> domains = 1)
    Threads.contestant kind
    (fun ~domains n ->
      let run = program ~spawn:spawn_thread ~await:join_thread ~domains n in
      fun () -> List.hd (Threads.run [ run ]))

let by contestant ~spawn ~await =
  [
    ("spawn_await", Operations.way contestant kind (one_by_one ~spawn ~await));
    ("spawn_await_many", Operations.way contestant kind (many_of_nothing ~spawn ~await));
  ]

(* {1 The benchmarks} *)

let benchmark ~name ~doc =
  Operations.benchmark ~group:"promises" ~name ~doc
    ~size_doc:(Printf.sprintf "the number of promises (threads are one of %d)" for_threads)
    ~default_size:3_000_000

let benchmarks =
  [
    benchmark ~name:"spawn_await" ~doc:"promises of nothing, made and awaited one after the other"
      [
        promises (fun ~spawn ~await -> one_by_one ~spawn ~await);
        threads (fun ~spawn ~await -> one_by_one ~spawn ~await);
      ];
    benchmark ~name:"spawn_await_many"
      ~doc:(Printf.sprintf "promises of nothing, %d made and then awaited" at_once)
      [
        promises (fun ~spawn ~await -> many_of_nothing ~spawn ~await);
        threads (fun ~spawn ~await -> many_of_nothing ~spawn ~await);
      ];
  ]
