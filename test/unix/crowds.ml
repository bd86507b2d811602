open Helpers
module Poller = Weft_platform.Poller

(* --- 1,000 connections, each held by a fiber, on 2 domains --- *)

let connections = 1000

let rec echo fd buffer =
  match Weft_unix.read fd buffer 0 (Bytes.length buffer) with
  | 0 -> ()
  | n ->
      Weft_unix.write fd buffer 0 n;
      echo fd buffer

let serve fd = Fun.protect ~finally:(fun () -> close fd) (fun () -> echo fd (Bytes.create 64))

let rec read_exactly fd buffer pos len =
  if len > 0 then begin
    let n = Weft_unix.read fd buffer pos len in
    check "the server closed" (n > 0);
    read_exactly fd buffer (pos + n) (len - n)
  end

let ask fd i =
  let text = Printf.sprintf "%06d" i in
  let buffer = Bytes.create 6 in
  Weft_unix.write_string fd text;
  read_exactly fd buffer 0 6;
  check_string "answer" text (Bytes.to_string buffer)

let connect address =
  let fd = Weft_unix.socket PF_INET SOCK_STREAM 0 in
  Weft_unix.connect fd address;
  fd

(* Of the clients, every third closes in the middle, and every third resets the connection, unread replies and
   all. *)
let vanish i fd =
  if i mod 3 = 1 then Unix.setsockopt_optint fd SO_LINGER (Some 0);
  Weft_unix.write_string fd "unread";
  close fd

let with_server address listener f =
  Weft.Scope.run @@ fun scope ->
  let lost = Atomic.make 0 in
  let session fd () = try serve fd with Unix.Unix_error ((EPIPE | ECONNRESET), _, _) -> Atomic.incr lost in
  let rec accept_all () =
    let fd, _ = Weft_unix.accept listener in
    ignore (Weft.Scope.async scope (session fd) : unit Weft.promise);
    accept_all ()
  in
  let server =
    Weft.Scope.async scope (fun () -> try accept_all () with Unix.Unix_error (EBADF, _, _) -> ())
  in
  f (List.init connections (fun i -> (i, connect address)));
  close listener;
  Weft.await server

let thousand_connections () =
  Weft.run ~domains:2 @@ fun () ->
  with_listener @@ fun listener address ->
  with_server address listener @@ fun clients ->
  (* All are held at once: each waits for its client, and the acceptor waits, too. *)
  yield_until "all connections are held" (fun () -> Poller.waits () = connections + 1);
  let a, b = Weft.par (fun () -> 1) (fun () -> 2) in
  check_int "domains go on" 3 (a + b);
  ignore (Weft.all (List.map (fun (i, fd) () -> ask fd i) clients) : unit list);
  let stay, go = List.partition (fun (i, _) -> i mod 3 = 0) clients in
  let asked () = ignore (Weft.all (List.map (fun (i, fd) () -> ask fd i) stay) : unit list)
  and gone () = ignore (Weft.all (List.map (fun (i, fd) () -> vanish i fd) go) : unit list) in
  let (), () = Weft.par gone asked in
  yield_until "those that are gone are given up" (fun () -> Poller.waits () = List.length stay + 1);
  asked ();
  List.iter (fun (_, fd) -> close fd) stay

(* --- from outside, and with nobody inside --- *)

let threads_outside () =
  with_pair @@ fun a b ->
  let echo = Thread.create (fun () -> echo b (Bytes.create 64)) () in
  let asks =
    Thread.create
      (fun () ->
        for i = 1 to 100 do
          ask a i
        done)
      ()
  in
  Thread.join asks;
  close a;
  Thread.join echo

let retiring_at_once f =
  let patience = Weft_scheduler.Worker_thread.keep_alive in
  let before = Atomic.get patience in
  Atomic.set patience Weft_scheduler.Idle_period.none;
  Fun.protect f ~finally:(fun () -> Atomic.set patience before)

let nobody_inside () =
  retiring_at_once @@ fun () ->
  List.iter
    (fun domains ->
      with_pipe @@ fun input output ->
      let p = Weft.Pool.create ~domains () in
      let byte = Bytes.create 1 in
      for _ = 1 to 3 do
        let task = Weft.Pool.async p (fun () -> Weft_unix.read input byte 0 1) in
        until "it waits" (fun () -> Poller.waits () = 1);
        (* Longer than workers without work stay. *)
        Unix.sleepf 0.02;
        Weft_unix.write_string output "x";
        until "it has read" (fun () -> Weft.Promise.is_settled task)
      done;
      Weft.Pool.close p)
    sizes

(* A fiber whose pool has nothing else to do is resumed, though it is another pool's worker that looks. *)
let two_pools () =
  with_pair @@ fun a b ->
  let p = Weft.Pool.create ~domains:2 () and q = Weft.Pool.create ~domains:1 () in
  let server = Weft.Pool.async p (fun () -> echo b (Bytes.create 64)) in
  Weft.Pool.run q (fun () ->
      for i = 1 to 1000 do
        ask a i
      done;
      close a);
  Weft.await server;
  Weft.Pool.close p;
  Weft.Pool.close q

(* Both are ready in the same round, for nobody reads the byte. *)
let two_pools_in_one_round () =
  with_pipe @@ fun input output ->
  let pools = List.init 2 (fun _ -> Weft.Pool.create ~domains:2 ()) in
  let wait p = Weft.Pool.async p (fun () -> Weft_unix.wait_readable input) in
  let waits = List.map wait pools in
  until "both wait" (fun () -> Poller.waits () = 2);
  Weft_unix.write_string output "x";
  List.iter Weft.await waits;
  List.iter Weft.Pool.close pools

(* Workers that compute look, too. *)
let busy_domains () =
  on_each_size @@ fun () ->
  with_pair @@ fun a b ->
  let stop = Atomic.make false in
  let rec burn n =
    if n < 2 then n
    else
      let x, y = Weft.par (fun () -> burn (n - 1)) (fun () -> burn (n - 2)) in
      x + y
  in
  let busy =
    List.init 8 (fun _ ->
        Weft.async (fun () ->
            while not (Atomic.get stop) do
              ignore (burn 15 : int)
            done))
  in
  let server = Weft.async (fun () -> echo b (Bytes.create 64)) in
  for i = 1 to 20 do
    ask a i
  done;
  Atomic.set stop true;
  List.iter Weft.await busy;
  close a;
  Weft.await server

(* --- the thread --- *)

let poller_takes_no_signals () =
  Weft.run ~domains:2 @@ fun () ->
  with_pair @@ fun a _ ->
  let reader = waiting (fun () -> fails "read" [ EBADF ] (fun () -> Weft_unix.read a (Bytes.create 1) 0 1)) in
  let read path = try In_channel.with_open_bin path In_channel.input_all with Sys_error _ -> "" in
  let tasks () = Array.to_list (Sys.readdir "/proc/self/task") in
  let is_poller t = read (Printf.sprintf "/proc/self/task/%s/comm" t) = "weft-poller\n" in
  let masked t =
    let status = read (Printf.sprintf "/proc/self/task/%s/status" t) in
    let line = List.find (String.starts_with ~prefix:"SigBlk:") (String.split_on_char '\n' status) in
    Scanf.sscanf line "SigBlk: %Lx" Fun.id
  in
  (* It names itself when it has started. *)
  yield_until "the thread has its name" (fun () -> List.exists is_poller (tasks ()));
  (match List.filter is_poller (tasks ()) with
  | [ t ] ->
      List.iter
        (fun signal ->
          check "signals are masked" (Int64.logand (masked t) (Int64.shift_left 1L (signal - 1)) <> 0L))
        [ 1; 2; 3; 10; 12; 13; 14; 15; 17 ]
  | found -> Alcotest.failf "%d pollers" (List.length found));
  close a;
  Weft.await reader

let cases =
  let case name test = case name (leaves_nothing test) in
  ( "crowds",
    [
      case "1,000 connections on 2 domains" thousand_connections;
      case "nobody is inside" nobody_inside;
      case "two pools" two_pools;
      case "two pools in one round" two_pools_in_one_round;
      case "busy domains" busy_domains;
      case "the poller takes no signals" poller_takes_no_signals;
    ] )

(* The default pool, which these use, keeps descriptors. *)
let outside = ("outside", [ Helpers.case "threads outside" threads_outside ])
