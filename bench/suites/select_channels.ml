open Weft_bench_contestants
module Figure = Weft_bench_harness.Figure

let kind : Tally.t Operations.kind =
  { figures = Figure.operations ~what:"message"; check = (fun n tally -> Tally.check n [ tally ]) }

let select_of a b _ = Weft.Select.select [ Weft.Select.recv a Fun.id; Weft.Select.recv b Fun.id ]
let recv_of a b i = Weft.Chan.recv (if i land 1 = 0 then a else b)

(* {1 Ready} *)

(* Message [i] goes through channel [i land 1]. *)
let ready take ~domains:_ n =
  let a = Weft.Chan.bounded 64 and b = Weft.Chan.bounded 64 in
  let take = take a b and tally = Tally.create () in
  fun () ->
    for i = 0 to n - 1 do
      Weft.Chan.send (if i land 1 = 0 then a else b) i;
      Tally.add tally (take i)
    done;
    tally

(* {1 Waiting} *)

let waiting ~run ~send ~take make ~domains:_ n =
  let a = make () and b = make () in
  let rec send_from i channel () =
    if i >= n then None
    else (
      send channel i;
      send_from (i + 2) channel ())
  in
  let receive () =
    let take = take a b and tally = Tally.create () in
    for i = 0 to n - 1 do
      Tally.add tally (take i)
    done;
    Some tally
  in
  fun () -> List.hd (List.filter_map Fun.id (run [ send_from 0 a; send_from 1 b; receive ]))

let fibers_waiting take =
  waiting ~take ~run:Weft_pool.run ~send:(fun c i -> Weft.Chan.send c i) (fun () -> Weft.Chan.bounded 0)

let events_waiting =
  waiting ~run:Threads.run
    ~send:(fun c i -> Event.sync (Event.send c i))
    ~take:(fun a b _ -> Event.select [ Event.receive a; Event.receive b ])
    Event.new_channel

(* {1 The benchmarks} *)

let benchmark = Operations.benchmark ~group:"select"

let benchmarks =
  [
    benchmark ~name:"select_ready" ~doc:"sending a message and taking it, from either of two channels"
      ~size_doc:"the number of messages" ~default_size:5_000_000
      [
        Operations.way Weft_pool.fibers kind (ready recv_of);
        Operations.way Weft_pool.select kind (ready select_of);
      ];
    benchmark ~name:"select_waiting"
      ~doc:"waiting for the messages of two senders, at a rendezvous channel each"
      ~size_doc:(Printf.sprintf "the number of messages (threads take one of %d)" Operations.for_threads)
      ~default_size:1_000_000
      [
        Operations.way Weft_pool.fibers kind (fibers_waiting recv_of);
        Operations.way Weft_pool.select kind (fibers_waiting select_of);
        Operations.way ~part:Operations.for_threads Threads.event kind events_waiting;
      ];
  ]
