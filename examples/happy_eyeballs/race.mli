(** A race of connections: "happy eyeballs" (RFC 8305, section 5). *)

type 'a attempt = {
  name : string;
  connect : unit -> 'a;  (** opens a connection or raises; when cancelled, it leaves nothing open *)
}

val run : stagger:float -> close:('a -> unit) -> 'a attempt list -> (string * 'a, (string * exn) list) result
(** [run ~stagger ~close attempts] starts the [attempts] one after the other: the next one when [stagger]
    seconds have passed since the last start, or when an attempt has failed. The first connection wins: it is
    [Ok], with its name, and the other attempts are cancelled. If all fail, [Error] has each with its
    exception, in the order in which they failed.

    It returns, or raises, when all attempts have ended, and leaves at most the winner open: [close] closes a
    connection that comes too late, and the winner if [run] is cancelled or times out at that very moment.
    [close] must not suspend. *)
