open Weft_bench_contestants
module Figure = Weft_bench_harness.Figure

let kind : int Operations.kind =
  { figures = Figure.operations ~what:"request"; check = Operations.count "requests" }

let connections = 64
let bytes = 16

(* Of [n] requests, how many connection [i] makes. *)
let share n i = (n / connections) + Bool.to_int (i < n mod connections)

let rec read_all read fd buffer pos =
  if pos = bytes then true
  else match read fd buffer pos (bytes - pos) with 0 -> false | got -> read_all read fd buffer (pos + got)

(* [write] writes all. *)
let serve ~read ~write fd () =
  let buffer = Bytes.create bytes in
  let rec go_on () =
    if read_all read fd buffer 0 then begin
      write fd buffer 0 bytes;
      go_on ()
    end
  in
  go_on ();
  0

let ask ~read ~write fd requests () =
  let question = Bytes.make bytes 'q' and answer = Bytes.create bytes in
  let rec go_on i right =
    if i = requests then right
    else begin
      write fd question 0 bytes;
      go_on (i + 1) (right + Bool.to_int (read_all read fd answer 0 && Bytes.equal question answer))
    end
  in
  let right = go_on 0 0 in
  Unix.shutdown fd SHUTDOWN_SEND;
  right

(* The pairs are closed by the run itself: each run has its own. *)
let echo ~run ~read ~write pair ~domains:_ n () =
  let pairs = List.init connections (fun _ -> pair ()) in
  let servers = List.map (fun (_, server) -> serve ~read ~write server) pairs in
  let clients = List.mapi (fun i (client, _) -> ask ~read ~write client (share n i)) pairs in
  let right = List.fold_left ( + ) 0 (run (servers @ clients)) in
  List.iter
    (fun (client, server) ->
      Unix.close client;
      Unix.close server)
    pairs;
  right

let fibers =
  Operations.way Weft_pool.fibers kind
    (echo ~run:Weft_pool.run
       ~read:(fun fd buffer pos len -> Weft_unix.read fd buffer pos len)
       ~write:(fun fd buffer pos len -> Weft_unix.write fd buffer pos len)
       Weft_unix.socketpair)

let threads =
  Operations.way ~part:Operations.for_threads Threads.contestant kind
    (echo ~run:Threads.run ~read:Unix.read
       ~write:(fun fd buffer pos len -> ignore (Unix.write fd buffer pos len : int))
       (fun () -> Unix.socketpair ~cloexec:true PF_UNIX SOCK_STREAM 0))

let benchmark =
  Operations.benchmark ~name:"echo"
    ~doc:(Printf.sprintf "%d connections of local sockets, each with a client and a server" connections)
    ~size_doc:(Printf.sprintf "the number of requests (threads make one of %d)" Operations.for_threads)
    ~default_size:100_000 [ fibers; threads ]
