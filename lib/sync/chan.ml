type 'a t = 'a Channel.t

exception Closed = Channel.Closed

(* --- making and closing --- *)

let bounded n =
  if n < 0 then invalid_arg (Printf.sprintf "Weft.Chan.bounded: negative capacity %d" n);
  Channel.create n

let unbounded () = Channel.create max_int

let named name (c : _ t) =
  c.name <- name;
  c

let close = Channel.close
let is_closed (c : _ t) = c.closed

(* --- sending and receiving --- *)

let send ?timeout c v = Channel.send ?timeout ~what:"Weft.Chan.send" c (Some v)

let recv ?timeout c =
  match Channel.recv ?timeout ~what:"Weft.Chan.recv" c with Some v -> v | None -> raise Closed

let recv_opt c = Channel.recv ~what:"Weft.Chan.recv_opt" c

let try_send (c : _ t) v =
  let m = Some v in
  Ordered_mutex.protect c.guard (fun () -> Channel.try_send c m)

let try_recv (c : _ t) = Ordered_mutex.protect c.guard (fun () -> Channel.try_recv c)
let send_poll = try_send
let recv_poll = try_recv
let length (c : _ t) = Ring.length c.ring

(* --- receiving all --- *)

let rec iter f c =
  match Channel.recv ~what:"Weft.Chan.iter" c with
  | Some v ->
      f v;
      iter f c
  | None -> ()

let to_seq c = Seq.of_dispenser (fun () -> Channel.recv ~what:"Weft.Chan.to_seq" c)

module Private = struct
  external to_channel : 'a t -> 'a Channel.t = "%identity"
end
