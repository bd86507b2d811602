(** A client of the server. *)

type t

exception Broken of string
(** The connection is of no use any more; why. *)

val with_connection : port:int -> (t -> 'a) -> 'a
(** [with_connection ~port f] is [f] of a connection to the server at this port of the loopback address.
    @raise Broken if there is none. *)

val ask_all : t -> Protocol.request list -> Protocol.reply list
(** Sends all requests at once, and waits for the replies. Suspends the calling fiber.
    @raise Broken if they do not come within 10 seconds. *)

val ask : t -> Protocol.request -> Protocol.reply

val load : port:int -> clients:int -> requests:int -> pipeline:int -> (int, string) result
(** [load ~port ~clients ~requests ~pipeline] has so many clients at the same time make so many requests each,
    [pipeline] of them at once: each sets keys of its own, reads them, deletes them again, and adds to a
    counter that all share. It is how many requests were made, or which reply was wrong. All keys begin with
    ["load:"] and the number of the process; none is left over.
    @raise Broken if a connection is. *)
