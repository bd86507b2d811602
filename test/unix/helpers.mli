(** What the tests of sockets, pipes and processes share. *)

val case : string -> (unit -> unit) -> unit Alcotest.test_case
val until : string -> (unit -> bool) -> unit

val sizes : int list
(** Of pools: 1, 2 and 8. *)

val on_each_size : (unit -> unit) -> unit
(** In a task of a pool of each size. *)

val check : string -> bool -> unit
val check_int : string -> int -> int -> unit

val check_string : string -> string -> string -> unit
(** From any task: Alcotest's own checks print, and only one domain at a time may. *)

val yield_until : string -> (unit -> bool) -> unit
(** In a fiber. *)

val waiting : (unit -> 'a) -> 'a Weft.promise
(** In a fiber: starts a task; returns once it waits for a descriptor or a process. No other fiber may begin
    such a wait meanwhile. *)

val fails : string -> Unix.error list -> (unit -> 'a) -> unit
(** It raises one of these. *)

val leaves_nothing : (unit -> unit) -> unit -> unit
(** [leaves_nothing test ()] runs [test], and then no descriptor is left that was not there before, no child
    process, no wait, and, after a while, no thread that polls. *)

val close : Unix.file_descr -> unit
(** {!Weft_unix.close}, for what the following have opened: they close what the test has not. *)

val with_pair : (Unix.file_descr -> Unix.file_descr -> 'a) -> 'a
(** Two connected sockets, closed at the end, if the function has not {!close}d them. *)

val with_pipe : (Unix.file_descr -> Unix.file_descr -> 'a) -> 'a

val with_listener : ?backlog:int -> (Unix.file_descr -> Unix.sockaddr -> 'a) -> 'a
(** On the loopback. *)

val fill : Unix.file_descr -> unit
(** Writes until there is no more room. *)
