open Helpers
module Poller = Weft_platform.Poller
module Timer_thread = Weft_platform.Timer_thread

let read_string fd n =
  let b = Bytes.create n in
  Bytes.sub_string b 0 (Weft_unix.read fd b 0 n)

(* --- bytes --- *)

let a_reader_waits () =
  on_each_size @@ fun () ->
  with_pair @@ fun a b ->
  let reader = waiting (fun () -> read_string b 10) in
  Weft_unix.write_string a "hello";
  check_string "read" "hello" (Weft.await reader)

let megabyte = String.init 1_000_000 (fun i -> Char.chr (i * 7 land 255))

(* Much more than there is room for: writer and reader wait in turn. *)
let all_arrives make () =
  on_each_size @@ fun () ->
  let input, output = make () in
  let write () =
    Weft_unix.write_string output megabyte;
    close output
  in
  let (), got = Weft.par write (fun () -> Weft_unix.read_all input) in
  close input;
  check "what arrived" (String.equal got megabyte)

let pair () =
  let a, b = Weft_unix.socketpair () in
  (b, a)

let blocking_pair () =
  let a, b = Unix.socketpair ~cloexec:true PF_UNIX SOCK_STREAM 0 in
  (b, a)

let blocking_pipe () = Unix.pipe ~cloexec:true ()

let nothing_to_write () =
  with_pair @@ fun a _ ->
  Weft_unix.write a (Bytes.create 3) 3 0;
  check_int "read" 0 (Weft_unix.read a (Bytes.create 3) 1 0)

let files () =
  Weft.run ~domains:2 @@ fun () ->
  Testing.Child.with_temp_file @@ fun path ->
  let fd = Unix.openfile path [ O_RDWR; O_CLOEXEC ] 0 in
  Weft_unix.write_string fd megabyte;
  ignore (Unix.lseek fd 0 SEEK_SET : int);
  let got = Weft_unix.read_all fd in
  close fd;
  check "what was read" (String.equal got megabyte)

let readiness () =
  on_each_size @@ fun () ->
  with_pair @@ fun a b ->
  Weft_unix.wait_writable a;
  let readable = waiting (fun () -> Weft_unix.wait_readable b) in
  Weft_unix.write_string a "x";
  Weft.await readable;
  Weft_unix.wait_readable b;
  fill a;
  let writable = waiting (fun () -> Weft_unix.wait_writable a) in
  let some = Bytes.create 65536 in
  yield_until "there is room" (fun () ->
      (try ignore (Weft_unix.read ~timeout:0. b some 0 65536 : int) with Weft.Cancel.Timeout -> ());
      Weft.Promise.is_settled writable);
  Weft.await writable

(* Each byte goes to one of them; the others wait on. *)
let many_readers () =
  on_each_size @@ fun () ->
  with_pipe @@ fun input output ->
  let readers = List.init 20 (fun _ -> waiting (fun () -> read_string input 1)) in
  Weft_unix.write_string output "abcdefghijklmnopqrst";
  let got = List.sort String.compare (List.map Weft.await readers) in
  check_string "bytes" "abcdefghijklmnopqrst" (String.concat "" got)

(* --- peers that vanish --- *)

let end_of_stream () =
  on_each_size @@ fun () ->
  with_pair @@ fun a b ->
  let reader = waiting (fun () -> read_string b 10) in
  close a;
  check_string "read" "" (Weft.await reader)

let is_default () =
  let was = Sys.signal Sys.sigpipe Sys.Signal_default in
  was = Sys.Signal_default

let write_to_nobody make () =
  on_each_size @@ fun () ->
  let input, output = make () in
  fill output;
  let writer =
    waiting (fun () -> fails "write" [ EPIPE; ECONNRESET ] (fun () -> Weft_unix.write_string output "x"))
  in
  close input;
  Weft.await writer;
  fails "the next" [ EPIPE ] (fun () -> Weft_unix.write_string output "x");
  check "SIGPIPE is as it was" (is_default ());
  check "it is not masked" (not (List.mem Sys.sigpipe (Unix.sigprocmask SIG_BLOCK [])));
  check "none is left" (not (List.mem Sys.sigpipe (Unix.sigpending ())));
  close output

let write_blocking_to_nobody () =
  Weft.run ~domains:2 @@ fun () ->
  let input, output = blocking_pipe () in
  Unix.close input;
  fails "write" [ EPIPE ] (fun () -> Weft_unix.write_string output "x");
  close output

let reset () =
  on_each_size @@ fun () ->
  with_listener @@ fun listener address ->
  let client = Weft_unix.socket PF_INET SOCK_STREAM 0 in
  let (server, _), () =
    Weft.par (fun () -> Weft_unix.accept listener) (fun () -> Weft_unix.connect client address)
  in
  let reader = waiting (fun () -> fails "read" [ ECONNRESET ] (fun () -> read_string server 10)) in
  Unix.setsockopt_optint client SO_LINGER (Some 0);
  close client;
  Weft.await reader;
  close server

(* --- closing --- *)

let close_ends_waits () =
  on_each_size @@ fun () ->
  with_pair @@ fun a b ->
  fill a;
  let reader = waiting (fun () -> fails "read" [ EBADF ] (fun () -> read_string a 10)) in
  let writer = waiting (fun () -> fails "write" [ EBADF ] (fun () -> Weft_unix.write_string a "x")) in
  close a;
  Weft.await reader;
  Weft.await writer;
  ignore (Weft_unix.read_all b : string)

external descriptor : int -> Unix.file_descr = "%identity"

(* Whether it was closed meanwhile, or never open. *)
let errors_name_the_call () =
  on_each_size @@ fun () ->
  let some = Bytes.create 1 and address = Unix.ADDR_INET (Unix.inet_addr_loopback, 1) in
  let names call f =
    match f () with
    | () -> Alcotest.failf "%s: no error" call
    | exception Unix.Unix_error (EBADF, name, _) -> check_string "name" call name
  in
  let calls fd =
    [
      ("read", fun () -> ignore (Weft_unix.read fd some 0 1 : int));
      ("read", fun () -> ignore (Weft_unix.read_all fd : string));
      ("poll", fun () -> Weft_unix.wait_readable fd);
      ("accept", fun () -> ignore (Weft_unix.accept fd : _ * _));
      ("write", fun () -> ignore (Weft_unix.single_write fd some 0 1 : int));
      ("write", fun () -> Weft_unix.write_string fd "x");
      ("poll", fun () -> Weft_unix.wait_writable fd);
      ("connect", fun () -> Weft_unix.connect fd address);
    ]
  in
  List.iter (fun (call, f) -> names call f) (calls (descriptor (-1)));
  let closed_while_it_waits i =
    with_listener @@ fun listener _ ->
    with_pair @@ fun a _ ->
    fill a;
    let fd = if i = 3 then listener else a in
    let call, f = List.nth (calls fd) i in
    let task = waiting (fun () -> names call f) in
    close fd;
    Weft.await task
  in
  List.iter closed_while_it_waits (List.init 7 Fun.id)

(* A wait that is ready, but that nobody has taken yet, is closed, too. No pool is here to take it. *)
let close_ends_ready_waits () =
  let alarm = Timer_thread.create () in
  Fun.protect ~finally:(fun () -> Timer_thread.free alarm) @@ fun () ->
  with_pair @@ fun a b ->
  let wait = Poller.add a ~writes:false ~alarm in
  Weft_unix.write_string b "x";
  until "it is ready" (fun () -> Poller.waits () = 0);
  close a;
  check "closed" (Poller.take_ready () = Closed wait);
  check "once" (Poller.take_ready () = Nothing)

(* A socket and its port, which it keeps from others without listening there. *)
let bound ?(address = Unix.ADDR_INET (Unix.inet_addr_loopback, 0)) () =
  let fd = Weft_unix.socket PF_INET SOCK_STREAM 0 in
  Unix.setsockopt fd SO_REUSEADDR true;
  Unix.bind fd address;
  (fd, Unix.getsockname fd)

(* While the poller looked at the listener, the system would keep it. *)
let close_frees_the_port () =
  on_each_size @@ fun () ->
  for _ = 1 to Testing.Effort.count ~quick:3 ~usual:20 ~long:200 do
    let keeper, address = bound () in
    for _ = 1 to 2 do
      let fd, _ = bound ~address () in
      Unix.listen fd 1;
      let acceptor = waiting (fun () -> fails "accept" [ EBADF ] (fun () -> Weft_unix.accept fd)) in
      close fd;
      Weft.await acceptor
    done;
    close keeper
  done

(* --- connecting --- *)

let refused () =
  on_each_size @@ fun () ->
  let keeper, address = bound () in
  let fd = Weft_unix.socket PF_INET SOCK_STREAM 0 in
  fails "connect" [ ECONNREFUSED ] (fun () -> Weft_unix.connect fd address);
  List.iter close [ fd; keeper ]

(* The queue of a local socket has room for one: the others come when it has been accepted. *)
let local_queue_full () =
  on_each_size @@ fun () ->
  Testing.Child.with_temp_file @@ fun path ->
  Sys.remove path;
  let listener = Weft_unix.socket PF_UNIX SOCK_STREAM 0 in
  Unix.bind listener (ADDR_UNIX path);
  Unix.listen listener 1;
  let connect _ =
    let fd = Weft_unix.socket PF_UNIX SOCK_STREAM 0 in
    Weft_unix.connect fd (ADDR_UNIX path);
    close fd
  in
  let clients = List.init 10 (fun i -> Weft.async (fun () -> connect i)) in
  List.iter (fun _ -> close (fst (Weft_unix.accept listener))) clients;
  List.iter Weft.await clients;
  close listener

let cases =
  let case name test = case name (leaves_nothing test) in
  ( "streams",
    [
      case "a reader waits" a_reader_waits;
      case "all arrives: socket" (all_arrives pair);
      case "all arrives: blocking socket" (all_arrives blocking_pair);
      case "all arrives: pipe" (all_arrives Weft_unix.pipe);
      case "all arrives: blocking pipe" (all_arrives blocking_pipe);
      case "nothing to read or write" nothing_to_write;
      case "files" files;
      case "readiness" readiness;
      case "many readers of a pipe" many_readers;
      case "the end of a stream" end_of_stream;
      case "nobody reads: socket" (write_to_nobody pair);
      case "nobody reads: pipe" (write_to_nobody Weft_unix.pipe);
      case "nobody reads: blocking pipe" write_blocking_to_nobody;
      case "a reset" reset;
      case "close ends waits" close_ends_waits;
      case "errors name the call" errors_name_the_call;
      case "close ends waits that are ready" close_ends_ready_waits;
      case "close frees the port" close_frees_the_port;
      case "a refused connection" refused;
      case "a full queue of a local socket" local_queue_full;
    ] )
