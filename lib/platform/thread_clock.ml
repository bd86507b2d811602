type t

(* Both fields are integers, in the order in which thread_clock_stubs.c fills them in. *)
type reading = { mutable ran : int; mutable waited : int }

(* Likewise. *)
type usage = { mutable used : int; mutable sleeps : int }

external use : usage -> bool = "weft_thread_clock_use" [@@noalloc]
external make_none : unit -> t = "weft_thread_clock_none"
external of_self : unit -> t = "weft_thread_clock_of_self"
external of_file : string -> t = "weft_thread_clock_of_file"
external close : t -> unit = "weft_thread_clock_close" [@@noalloc]
external read : t -> reading -> bool = "weft_thread_clock_read" [@@noalloc]

let none = make_none ()
