(** Reading, writing, accepting and connecting: see {!Weft_unix}. *)

val wait_readable : ?timeout:float -> Unix.file_descr -> unit
val wait_writable : ?timeout:float -> Unix.file_descr -> unit
val read : ?timeout:float -> Unix.file_descr -> bytes -> int -> int -> int
val read_all : ?timeout:float -> Unix.file_descr -> string
val single_write : ?timeout:float -> Unix.file_descr -> bytes -> int -> int -> int
val write : ?timeout:float -> Unix.file_descr -> bytes -> int -> int -> unit
val write_string : ?timeout:float -> Unix.file_descr -> string -> unit
val socket : Unix.socket_domain -> Unix.socket_type -> int -> Unix.file_descr
val socketpair : unit -> Unix.file_descr * Unix.file_descr
val pipe : unit -> Unix.file_descr * Unix.file_descr
val accept : ?timeout:float -> Unix.file_descr -> Unix.file_descr * Unix.sockaddr
val connect : ?timeout:float -> Unix.file_descr -> Unix.sockaddr -> unit

(** {1 For the other modules} *)

val deadline : what:string -> float option -> int option
(** When a call with this [timeout] gives up.
    @raise Invalid_argument in the name of [what] if it is nan. *)

val is_over : int option -> bool
(** Whether this deadline has come. *)

val retry : what:string -> call:string -> deadline:int option -> Readiness.event -> (unit -> 'a option) -> 'a
(** [retry ~what ~call ~deadline event attempt] is the first [Some v] of [attempt ()], which must not wait;
    after each [None] it waits for [event] ({!Readiness.await}), unless the deadline has come. The fiber looks
    only before an attempt whether it is cancelled: what an attempt has read is not lost. *)

val chunk : int
(** How many bytes one call of the system reads at most. *)

val read_into : Buffer.t -> what:string -> deadline:int option -> Unix.file_descr -> unit
(** Adds all that comes until the end. *)

val write_string_until : what:string -> deadline:int option -> Unix.file_descr -> string -> unit

val non_blocking : Unix.file_descr -> Unix.file_descr
(** Makes it so, and is it. *)
