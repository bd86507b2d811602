open Weft_bench_harness
open Weft_bench_contestants

type capacity = Rendezvous | Bounded of int | Unbounded

let parties = 4

(* [share n k] is how many of [n] messages party [k] of [parties] sends or receives. A sender sends the
   messages [k], [k + parties], [k + 2 * parties] and so on. *)
let share ~parties n k = (n - k + parties - 1) / parties

(* Each receiver knows how many messages it takes, since not every method can close its channels. *)
let program ~parties ~run ~send ~recv make ~domains:_ n =
  let channel = make () in
  let sender k () =
    for i = 0 to share ~parties n k - 1 do
      send channel (k + (i * parties))
    done;
    None
  in
  let receiver k () =
    let tally = Tally.create () in
    for _ = 1 to share ~parties n k do
      Tally.add tally (recv channel)
    done;
    Some tally
  in
  let all party = List.init parties party in
  fun () -> List.filter_map Fun.id (run (all sender @ all receiver))

let check ~parties = Tally.check ~in_order:(parties = 1)

(* {1 Methods} *)

let fibers ~parties kind capacity =
  let make () =
    match capacity with
    | Rendezvous -> Weft.Chan.bounded 0
    | Bounded n -> Weft.Chan.bounded n
    | Unbounded -> Weft.Chan.unbounded ()
  in
  Operations.way Weft_pool.fibers kind
    (program ~parties ~run:Weft_pool.run
       ~send:(fun c x -> Weft.Chan.send c x)
       ~recv:(fun c -> Weft.Chan.recv c)
       make)

let event ~parties kind =
  Operations.way ~part:Operations.for_threads Threads.event kind
    (program ~parties ~run:Threads.run
       ~send:(fun c x -> Event.sync (Event.send c x))
       ~recv:(fun c -> Event.sync (Event.receive c))
       Event.new_channel)

let queue ?part ~parties kind capacity =
  Operations.way ?part Threads.contestant kind
    (program ~parties ~run:Threads.run ~send:Blocking_queue.send ~recv:Blocking_queue.recv (fun () ->
         Blocking_queue.create capacity))

(* {1 The benchmarks} *)

let kind ~parties : Tally.t list Operations.kind =
  { figures = Figure.per_second ~what:"message"; check = check ~parties }

let name ~parties suffix = (if parties = 1 then "channel_1_1_" else "channel_n_n_") ^ suffix

let benchmark ~parties (suffix, capacity, in_words) =
  let kind = kind ~parties in
  let senders =
    if parties = 1 then "from one sender to one receiver"
    else Printf.sprintf "from %d senders to %d receivers" parties parties
  in
  let rival =
    match capacity with
    | Rendezvous -> event ~parties kind
    | Bounded 1 -> queue ~part:Operations.for_threads ~parties kind 1
    | Bounded n -> queue ~parties kind n
    | Unbounded -> queue ~parties kind max_int
  in
  Operations.benchmark ~group:"channel" ~name:(name ~parties suffix)
    ~doc:(Printf.sprintf "messages %s, %s" senders in_words)
    ~size_doc:
      (match capacity with
      | Rendezvous | Bounded 1 ->
          Printf.sprintf "the number of messages (threads pass one of %d)" Operations.for_threads
      | Bounded _ | Unbounded -> "the number of messages")
    ~default_size:
      (match capacity with Rendezvous | Bounded 1 -> 1_000_000 | Bounded _ | Unbounded -> 3_000_000)
    [ fibers ~parties kind capacity; rival ]

let capacities =
  [
    ("rendezvous", Rendezvous, "each handed over");
    ("bounded_1", Bounded 1, "through room for one");
    ("bounded_64", Bounded 64, "through room for 64");
    ("unbounded", Unbounded, "through room without limit");
  ]

(* [f ~parties capacity] for all parties and capacities. *)
let for_all f = List.concat_map (fun parties -> List.map (f ~parties) capacities) [ 1; parties ]
let cases = for_all (fun ~parties (suffix, capacity, _) -> (name ~parties suffix, parties, capacity))
let benchmarks = for_all benchmark
