(** New arrays, first written in parallel. *)

val make : who:string -> int -> 'a -> 'a array
(** [make ~who n x] is [Array.make n x]. If it is large, and [x] a float, it is filled by all workers, so that
    page faults are shared, and pages lie near those who are likely to use them. (An array that the collector
    looks into cannot be left unwritten.)
    @raise Invalid_argument if [n] is negative or beyond [Sys.max_array_length], with [who]. *)
