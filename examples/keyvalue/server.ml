module Map = Weft_batch.Avl.Make (String)

type t = {
  map : string Map.t;
  listener : Unix.file_descr;
  room : Weft.Semaphore.t;  (** one unit for each further connection *)
  limit : int;  (** the number of units in all *)
  idle : float;  (** seconds *)
  lock : Weft.Mutex.t;  (** for what follows *)
  sockets : (Unix.file_descr, unit) Hashtbl.t;  (** open connections *)
  mutable stopping : bool;
  connections : int Atomic.t;
  requests : int Atomic.t;
}

let listen ?(connections = 256) ?(idle = 300.) ~port () =
  let listener = Weft_unix.socket PF_INET SOCK_STREAM 0 in
  try
    Unix.setsockopt listener SO_REUSEADDR true;
    Unix.bind listener (ADDR_INET (Unix.inet_addr_loopback, port));
    Unix.listen listener 128;
    {
      map = Map.create ();
      listener;
      room = Weft.Semaphore.create connections;
      limit = connections;
      idle;
      lock = Weft.Mutex.create ();
      sockets = Hashtbl.create 16;
      stopping = false;
      connections = Atomic.make 0;
      requests = Atomic.make 0;
    }
  with exn ->
    Weft_unix.close listener;
    raise exn

let port t =
  match Unix.getsockname t.listener with ADDR_INET (_, port) -> port | ADDR_UNIX _ -> assert false

let served t = (Atomic.get t.connections, Atomic.get t.requests)
let map_stats t = Map.stats t.map

(** {1 Requests} *)

exception Not_a_number

(* The map calls this function inside a batch; if it raises, nothing changes, and the rest of the batch
   goes on. *)
let plus n = function
  | None -> Some (string_of_int n)
  | Some old -> (
      match int_of_string_opt old with
      | Some old -> Some (string_of_int (old + n))
      | None -> raise Not_a_number)

let reply t : Protocol.request -> Protocol.reply = function
  | Get key -> ( match Map.find_opt t.map key with Some value -> Value value | None -> None_there)
  | Set (key, value) ->
      Map.add t.map key value;
      Done
  | Delete key -> if Map.remove t.map key then Done else None_there
  | Add (key, n) -> (
      match Map.update t.map key (plus n) with
      | None -> Number n
      | Some old -> Number (int_of_string old + n)
      | exception Not_a_number -> Wrong "the value is not a number")
  | Next key -> (
      match Map.succ t.map key with Some (key, value) -> Binding (key, value) | None -> None_there)
  | Count -> Number (Map.length t.map)
  | Quit -> Done

(* The replies to some lines, and whether the connection goes on. *)
let answer t lines =
  let replies = Buffer.create 256 in
  let say reply = Buffer.add_string replies (Protocol.line_of_reply reply) in
  let rec each = function
    | [] -> true
    | line :: rest -> (
        Atomic.incr t.requests;
        match line with
        | Lines.Too_long ->
            say (Wrong (Printf.sprintf "a line has at most %d bytes" Lines.limit));
            each rest
        | Line line -> (
            match Protocol.request_of_line line with
            | Error what ->
                say (Wrong what);
                each rest
            | Ok request ->
                say (reply t request);
                request <> Quit && each rest))
  in
  let goes_on = each lines in
  (Buffer.contents replies, goes_on)

(** {1 Connections} *)

(* Seconds for a client to read its replies. *)
let patience = 10.

let converse t socket =
  let idle = if t.idle > 0. then Some t.idle else None in
  let peer = Lines.of_socket ?idle ~patience socket in
  let rec go_on () =
    match Lines.read peer with
    | None -> ()
    | exception Weft.Cancel.Timeout ->
        Lines.write peer (Protocol.line_of_reply (Wrong (Printf.sprintf "idle for %g seconds" t.idle)))
    | Some lines ->
        let replies, goes_on = answer t lines in
        Lines.write peer replies;
        if goes_on then go_on ()
  in
  (* An error of one connection does not affect the others. *)
  try
    Unix.setsockopt socket TCP_NODELAY true;
    go_on ()
  with Unix.Unix_error _ | Weft.Cancel.Timeout -> ()

(* [false]: the server is stopping. *)
let enter t socket =
  Weft.Mutex.protect t.lock (fun () ->
      if not t.stopping then Hashtbl.add t.sockets socket ();
      not t.stopping)

(* Shielded, as [stop] is: cancelled connections leave, too. The unit is released before the client sees
   the end. *)
let leave t socket =
  Weft.Cancel.shield (fun () ->
      Weft.Mutex.protect t.lock (fun () -> Hashtbl.remove t.sockets socket);
      Weft.Semaphore.release t.room;
      Weft_unix.close socket)

let serve t socket =
  Fun.protect
    ~finally:(fun () -> leave t socket)
    (fun () ->
      if enter t socket then begin
        Atomic.incr t.connections;
        converse t socket
      end)

(* The line fits into the buffer of a new socket: the write does not wait. *)
let refuse t socket =
  let why = Protocol.line_of_reply (Wrong (Printf.sprintf "there are %d connections already" t.limit)) in
  (try Weft_unix.write_string ~timeout:0. socket why with Unix.Unix_error _ | Weft.Cancel.Timeout -> ());
  Weft_unix.close socket

let rec accept_all t scope =
  match Weft_unix.accept t.listener with
  | socket, _ ->
      if Weft.Semaphore.try_acquire t.room then Weft.Scope.start scope (fun () -> serve t socket)
      else refuse t socket;
      accept_all t scope
  | exception Unix.Unix_error ((EMFILE | ENFILE | ENOBUFS | ENOMEM), _, _) ->
      (* A connection may end soon. *)
      Weft.sleep 0.05;
      accept_all t scope
  | exception Unix.Unix_error _ when t.stopping -> ()

(* Shutting a socket down ends the calls that wait on it. *)
let shutdown socket = try Unix.shutdown socket SHUTDOWN_RECEIVE with Unix.Unix_error _ -> ()

let stop t =
  Weft.Cancel.shield (fun () ->
      Weft.Mutex.protect t.lock (fun () ->
          t.stopping <- true;
          shutdown t.listener;
          Hashtbl.iter (fun socket () -> shutdown socket) t.sockets))

let run t ~until =
  Fun.protect
    ~finally:(fun () -> Weft_unix.close t.listener)
    (fun () ->
      Weft.Scope.run (fun scope ->
          Weft.Scope.start scope (fun () -> accept_all t scope);
          Fun.protect ~finally:(fun () -> stop t) until))
