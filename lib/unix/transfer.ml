(* [until] is the moment at which a call gives up. *)
let moment ~what timeout = Option.map (Clock.after ~who:what) timeout

(* --- waiting --- *)

let is_readable fd = Descriptor.is_ready fd ~writes:false
let is_writable fd = Descriptor.is_ready fd ~writes:true
let readable fd = Readiness.Readable fd
let writable fd = Readiness.Writable fd

let cancellation_point () =
  Poll.pass ();
  Poll.check ()

let retry ~what ~until event attempt =
  let rec wait () =
    Readiness.await ?until ~what event;
    match attempt () with Some v -> v | None -> wait ()
  in
  cancellation_point ();
  match attempt () with Some v -> v | None -> Current_worker.in_pool wait

let wait_for ~what ?timeout fd event is_ready =
  retry ~what ~until:(moment ~what timeout) (event fd) (fun () -> if is_ready fd then Some () else None)

let wait_readable ?timeout fd = wait_for ~what:"Weft_unix.wait_readable" ?timeout fd readable is_readable
let wait_writable ?timeout fd = wait_for ~what:"Weft_unix.wait_writable" ?timeout fd writable is_writable

(* --- bytes --- *)

let read_until ~what ~until fd bytes pos len =
  Descriptor.check what bytes pos len;
  retry ~what ~until (readable fd) @@ fun () : _ option ->
  match Descriptor.read fd bytes pos len with
  | Done n -> Some n
  | Would_wait -> None
  | May_wait -> if is_readable fd then Some (Unix.read fd bytes pos len) else None

let read ?timeout fd bytes pos len =
  let what = "Weft_unix.read" in
  read_until ~what ~until:(moment ~what timeout) fd bytes pos len

let read_all ?timeout fd =
  let what = "Weft_unix.read_all" in
  let until = moment ~what timeout in
  let all = Buffer.create 4096 and some = Bytes.create 4096 in
  let rec go_on () =
    match read_until ~what ~until fd some 0 (Bytes.length some) with
    | 0 -> Buffer.contents all
    | n ->
        Buffer.add_subbytes all some 0 n;
        go_on ()
  in
  go_on ()

let single_write_until ~what ~until fd bytes pos len =
  Descriptor.check what bytes pos len;
  retry ~what ~until (writable fd) @@ fun () : _ option ->
  match Descriptor.write fd bytes pos len with
  | Done n -> Some n
  | Would_wait -> None
  | May_wait -> if is_writable fd then Some (Descriptor.write_waiting fd bytes pos len) else None

let single_write ?timeout fd bytes pos len =
  let what = "Weft_unix.single_write" in
  single_write_until ~what ~until:(moment ~what timeout) fd bytes pos len

let write_all ~what ?timeout fd bytes pos len =
  let until = moment ~what timeout in
  let rec go_on pos len =
    let n = single_write_until ~what ~until fd bytes pos len in
    if n < len then go_on (pos + n) (len - n)
  in
  go_on pos len

let write ?timeout fd bytes pos len = write_all ~what:"Weft_unix.write" ?timeout fd bytes pos len

let write_string ?timeout fd s =
  write_all ~what:"Weft_unix.write_string" ?timeout fd (Bytes.unsafe_of_string s) 0 (String.length s)

(* --- sockets --- *)

let non_blocking fd =
  Unix.set_nonblock fd;
  fd

let socket domain kind protocol = non_blocking (Unix.socket ~cloexec:true domain kind protocol)

let socketpair () =
  let a, b = Unix.socketpair ~cloexec:true PF_UNIX SOCK_STREAM 0 in
  (non_blocking a, non_blocking b)

let pipe () =
  let input, output = Unix.pipe ~cloexec:true () in
  (non_blocking input, non_blocking output)

let accept ?timeout fd =
  let what = "Weft_unix.accept" in
  let rec attempt () =
    match Unix.accept ~cloexec:true fd with
    | socket, peer -> Some (non_blocking socket, peer)
    | exception Unix.Unix_error ((EAGAIN | EWOULDBLOCK), _, _) -> None
    | exception Unix.Unix_error ((EINTR | ECONNABORTED), _, _) -> attempt ()
  in
  Unix.set_nonblock fd;
  retry ~what ~until:(moment ~what timeout) (readable fd) attempt

let connected fd () =
  if is_writable fd then
    match Unix.getsockopt_error fd with
    | None -> Some ()
    | Some error -> raise (Unix.Unix_error (error, "connect", ""))
  else None

(* Seconds between two attempts at a local socket whose queue is full: nothing tells when there is room. *)
let pause = 0.001
let is_over until = match until with None -> false | Some moment -> Timer_thread.now () >= moment

let rec connect_until ~what ~until fd address =
  cancellation_point ();
  match Unix.connect fd address with
  | () -> ()
  | exception Unix.Unix_error ((EINPROGRESS | EINTR), _, _) -> retry ~what ~until (writable fd) (connected fd)
  | exception Unix.Unix_error ((EAGAIN | EWOULDBLOCK), _, _) ->
      if is_over until then raise Context.Timeout;
      Weft.sleep pause;
      connect_until ~what ~until fd address

let connect ?timeout fd address =
  let what = "Weft_unix.connect" in
  Unix.set_nonblock fd;
  connect_until ~what ~until:(moment ~what timeout) fd address
