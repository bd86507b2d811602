(** TCP connections whose opening can be cancelled. *)

type endpoint = { host : string; port : string }

val endpoint_of_string : string -> (endpoint, string) result
(** [endpoint_of_string "HOST:PORT"], or ["[HOST]:PORT"] if the host contains colons. [Error] says what is
    wrong. *)

val addresses : endpoint -> Unix.sockaddr list
(** [addresses endpoint] is the list of addresses of [endpoint], in the order of the system's preference (RFC
    6724). Suspends the calling fiber. The look-up may take seconds and cannot be cancelled. Empty if there is
    no such host or port. *)

val name : Unix.sockaddr -> string
(** In the form that {!endpoint_of_string} reads. *)

val connect : Unix.sockaddr -> Unix.file_descr
(** [connect address] is a non-blocking socket that is connected to [address]. Suspends the calling fiber.
    When that is cancelled, the socket is closed.
    @raise Unix.Unix_error if there is no connection. *)
