(** A client of the server. *)

type t

exception Broken of string
(** The connection cannot be used any more; the text says why. *)

val with_connection : port:int -> (t -> 'a) -> 'a
(** [with_connection ~port f] calls [f] with a connection to the server at this port of the loopback address.
    @raise Broken if the server cannot be reached. *)

val ask_all : t -> Protocol.request list -> Protocol.reply list
(** Sends all requests at once, and waits for the replies. Suspends the calling fiber.
    @raise Broken if they do not come within 10 seconds. *)

val ask : t -> Protocol.request -> Protocol.reply

val load : port:int -> clients:int -> requests:int -> pipeline:int -> (int, string) result
(** [load ~port ~clients ~requests ~pipeline] runs so many clients at the same time. Each makes so many
    requests, [pipeline] of them at once: it sets keys of its own, reads them, deletes them again, and adds to
    a counter that all share. The result is the number of requests, or the reply that was wrong. All keys
    begin with ["load:"] and the number of the process; none is left over.
    @raise Broken if a connection breaks. *)
