open Weft_bench_contestants
module Figure = Weft_bench_harness.Figure

(* The result of every method: the number of hand-overs that the two parties count together. *)
let kind : int Operations.kind =
  { figures = Figure.operations ~what:"hand-over"; check = Operations.count "hand-overs" }

let sum = List.fold_left ( + ) 0

(* {1 Through channels}

   Hand-over [i], from 1 to [n], is the message [i]: odd ones go from party 0 to party 1, even ones back.
   Each party counts the messages that it receives in order. *)

let by_channels ~run ~send ~recv make ~domains:_ n =
  let there = make () and back = make () in
  let rec wait_for i ~from ~into got =
    if i > n then got
    else
      let got = if recv from = i then got + 1 else got in
      hand_over (i + 1) ~from ~into got
  and hand_over i ~from ~into got =
    if i > n then got
    else (
      send into i;
      wait_for (i + 1) ~from ~into got)
  in
  fun () ->
    sum
      (run
         [ (fun () -> hand_over 1 ~from:back ~into:there 0); (fun () -> wait_for 1 ~from:there ~into:back 0) ])

let channels =
  Operations.way Weft_pool.fibers kind
    (by_channels ~run:Weft_pool.run
       ~send:(fun c i -> Weft.Chan.send c i)
       ~recv:(fun c -> Weft.Chan.recv c)
       (fun () -> Weft.Chan.bounded 0))

let events =
  Operations.way ~part:Operations.for_threads Threads.event kind
    (by_channels ~run:Threads.run
       ~send:(fun c i -> Event.sync (Event.send c i))
       ~recv:(fun c -> Event.sync (Event.receive c))
       Event.new_channel)

(* {1 By promises}

   The token contains the promise by which its receiver hands it on. *)

type token = { passed : int; on : token Weft.Promise.t }

let by_promises ~domains:_ n =
  let rec wait_for token handed_on =
    let { passed; on } = Weft.await token in
    if passed = n then handed_on
    else
      let passed = passed + 1 and next = Weft.Promise.create () in
      Weft.Promise.resolve on { passed; on = next };
      let handed_on = handed_on + 1 in
      if passed = n then handed_on else wait_for next handed_on
  in
  let first = Weft.Promise.create () and second = Weft.Promise.create () in
  Weft.Promise.resolve first { passed = 0; on = second };
  let parties = (fun () -> wait_for first 0) :: (if n = 0 then [] else [ (fun () -> wait_for second 0) ]) in
  fun () -> sum (Weft_pool.run parties)

let promises = Operations.way Weft_pool.fibers kind by_promises

(* {1 By turns}

   Hand-over [i], from 0 to [n - 1], is made by party [i land 1]. *)

let by_condition ~domains:_ n =
  let mutex = Mutex.create () and changed = Condition.create () and passed = ref 0 in
  let party me () =
    let rec play handed_on =
      Mutex.lock mutex;
      while !passed < n && !passed land 1 <> me do
        Condition.wait changed mutex
      done;
      let over = !passed >= n in
      if not over then incr passed;
      Condition.signal changed;
      Mutex.unlock mutex;
      if over then handed_on else play (handed_on + 1)
    in
    play 0
  in
  fun () -> sum (Threads.run [ party 0; party 1 ])

let conditions = Operations.way ~part:Operations.for_threads Threads.contestant kind by_condition

let by_yield ~run ~yield ~domains:_ n =
  let passed = Atomic.make 0 in
  let rec party me handed_on =
    let i = Atomic.get passed in
    if i >= n then handed_on
    else if i land 1 = me then (
      Atomic.incr passed;
      party me (handed_on + 1))
    else (
      yield ();
      party me handed_on)
  in
  fun () -> sum (run [ (fun () -> party 0 0); (fun () -> party 1 0) ])

let fibers_yielding = Operations.way Weft_pool.fibers kind (by_yield ~run:Weft_pool.run ~yield:Weft.yield)

let threads_yielding =
  Operations.way ~part:Operations.for_threads Threads.contestant kind
    (by_yield ~run:Threads.run ~yield:Thread.yield)

let effects_yielding =
  let run parties =
    let results = ref [] in
    let note result = results := result :: !results in
    Effects.run (List.map (fun party () -> note (party ())) parties);
    !results
  in
  Operations.way Effects.contestant kind (by_yield ~run ~yield:Effects.yield)

(* {1 The benchmarks} *)

let benchmark ~name ~doc =
  Operations.benchmark ~group:"ping_pong" ~name ~doc
    ~size_doc:(Printf.sprintf "the number of hand-overs (threads make one of %d)" Operations.for_threads)

let benchmarks =
  [
    benchmark ~name:"ping_pong_channel" ~doc:"a token to and fro through two rendezvous channels"
      ~default_size:1_000_000 [ channels; events; conditions ];
    benchmark ~name:"ping_pong_promise" ~doc:"a token to and fro by promises" ~default_size:1_000_000
      [ promises; conditions ];
    benchmark ~name:"ping_pong_yield" ~doc:"a token to and fro by yielding until one's turn"
      ~default_size:1_000_000
      [ effects_yielding; fibers_yielding; threads_yielding ];
  ]
