let deadline ~what timeout = Option.map (Clock.after ~who:what) timeout
let is_over deadline = match deadline with None -> false | Some moment -> Timer_thread.now () >= moment

(* --- waiting --- *)

let is_readable ~call fd = Descriptor.is_ready ~call fd ~writes:false
let is_writable ~call fd = Descriptor.is_ready ~call fd ~writes:true
let readable fd = Readiness.Readable fd
let writable fd = Readiness.Writable fd

let cancellation_point () =
  Poll.checkpoint ();
  Poll.check ()

let retry ~what ~call ~deadline event attempt =
  let rec wait () =
    Readiness.await ?deadline ~what ~call event;
    match attempt () with Some v -> v | None -> if is_over deadline then raise Context.Timeout else wait ()
  in
  cancellation_point ();
  match attempt () with
  | Some v -> v
  | None -> if is_over deadline then raise Context.Timeout else Current_worker.in_pool wait

let wait_for ~what ?timeout fd event is_ready =
  let call = "poll" and deadline = deadline ~what timeout in
  retry ~what ~call ~deadline (event fd) (fun () -> if is_ready ~call fd then Some () else None)

let wait_readable ?timeout fd = wait_for ~what:"Weft_unix.wait_readable" ?timeout fd readable is_readable
let wait_writable ?timeout fd = wait_for ~what:"Weft_unix.wait_writable" ?timeout fd writable is_writable

(* --- bytes --- *)

let read_until ~what ~deadline fd bytes pos len =
  Descriptor.check what bytes pos len;
  let call = "read" in
  retry ~what ~call ~deadline (readable fd) @@ fun () : _ option ->
  match Descriptor.read fd bytes pos len with
  | Done n -> Some n
  | Would_wait -> None
  | May_wait -> if is_readable ~call fd then Some (Unix.read fd bytes pos len) else None

let read ?timeout fd bytes pos len =
  let what = "Weft_unix.read" in
  read_until ~what ~deadline:(deadline ~what timeout) fd bytes pos len

(* What one call of the system reads at most. *)
let chunk = 65536

let read_into buffer ~what ~deadline fd =
  let some = Bytes.create chunk in
  let rec go_on () =
    let n = read_until ~what ~deadline fd some 0 chunk in
    if n > 0 then begin
      Buffer.add_subbytes buffer some 0 n;
      go_on ()
    end
  in
  go_on ()

let read_all ?timeout fd =
  let what = "Weft_unix.read_all" in
  let deadline = deadline ~what timeout and all = Buffer.create chunk in
  read_into all ~what ~deadline fd;
  Buffer.contents all

let single_write_until ~what ~deadline fd bytes pos len =
  Descriptor.check what bytes pos len;
  let call = "write" in
  retry ~what ~call ~deadline (writable fd) @@ fun () : _ option ->
  match Descriptor.write fd bytes pos len with
  | Done n -> Some n
  | Would_wait -> None
  | May_wait -> if is_writable ~call fd then Some (Descriptor.write_waiting fd bytes pos len) else None

let single_write ?timeout fd bytes pos len =
  let what = "Weft_unix.single_write" in
  single_write_until ~what ~deadline:(deadline ~what timeout) fd bytes pos len

let rec write_until ~what ~deadline fd bytes pos len =
  let n = single_write_until ~what ~deadline fd bytes pos len in
  if n < len then write_until ~what ~deadline fd bytes (pos + n) (len - n)

let write ?timeout fd bytes pos len =
  let what = "Weft_unix.write" in
  write_until ~what ~deadline:(deadline ~what timeout) fd bytes pos len

let write_string_until ~what ~deadline fd s =
  write_until ~what ~deadline fd (Bytes.unsafe_of_string s) 0 (String.length s)

let write_string ?timeout fd s =
  let what = "Weft_unix.write_string" in
  write_string_until ~what ~deadline:(deadline ~what timeout) fd s

(* --- sockets --- *)

let non_blocking fd =
  Unix.set_nonblock fd;
  fd

let make_non_blocking ~call fd =
  try Unix.set_nonblock fd
  with Unix.Unix_error (error, _, argument) -> raise (Unix.Unix_error (error, call, argument))

let socket domain kind protocol = non_blocking (Unix.socket ~cloexec:true domain kind protocol)

let socketpair () =
  let a, b = Unix.socketpair ~cloexec:true PF_UNIX SOCK_STREAM 0 in
  (non_blocking a, non_blocking b)

let pipe () =
  let input, output = Unix.pipe ~cloexec:true () in
  (non_blocking input, non_blocking output)

(* Linux's numbers, for which [Unix] has no names. *)
let enonet = Unix.EUNKNOWNERR 64
let eproto = Unix.EUNKNOWNERR 71

(* By accept(2), errors of the network are those of a connection that has vanished. *)
let is_of_connection (error : Unix.error) =
  match error with
  | ECONNABORTED | ENETDOWN | ENETUNREACH | EHOSTDOWN | EHOSTUNREACH | ENOPROTOOPT -> true
  | error -> error = enonet || error = eproto

let accept ?timeout fd =
  let what = "Weft_unix.accept" and call = "accept" in
  let rec attempt () =
    match Unix.accept ~cloexec:true fd with
    | socket, peer -> Some (non_blocking socket, peer)
    | exception Unix.Unix_error ((EAGAIN | EWOULDBLOCK), _, _) -> None
    | exception Unix.Unix_error (error, _, _) when error = EINTR || is_of_connection error -> attempt ()
  in
  make_non_blocking ~call fd;
  retry ~what ~call ~deadline:(deadline ~what timeout) (readable fd) attempt

let connected ~call fd () =
  if is_writable ~call fd then
    match Unix.getsockopt_error fd with
    | None -> Some ()
    | Some error -> raise (Unix.Unix_error (error, call, ""))
  else None

(* Seconds between two attempts at a local socket whose queue is full: nothing tells when there is room. *)
let retry_pause = 0.001

let rec connect_until ~what ~call ~deadline fd address =
  cancellation_point ();
  match Unix.connect fd address with
  | () -> ()
  | exception Unix.Unix_error ((EINPROGRESS | EINTR), _, _) ->
      retry ~what ~call ~deadline (writable fd) (connected ~call fd)
  | exception Unix.Unix_error ((EAGAIN | EWOULDBLOCK), _, _) ->
      if is_over deadline then raise Context.Timeout;
      Current_worker.in_pool (fun () -> Readiness.pause ~what retry_pause);
      connect_until ~what ~call ~deadline fd address

let connect ?timeout fd address =
  let what = "Weft_unix.connect" and call = "connect" in
  make_non_blocking ~call fd;
  connect_until ~what ~call ~deadline:(deadline ~what timeout) fd address
