(** A clock for measuring microseconds at the price of nanoseconds. *)

external now : unit -> (int[@untagged]) = "weft_ticks_boxed" "weft_ticks"
[@@noalloc]
(** A count that grows by about one per nanosecond: by 0.5 to 2.5 on x86-64 (the time stamp counter halved),
    exactly elsewhere (a monotonic clock). It starts anywhere, and may differ between processors: good for
    decisions of scale, such as grain sizes, never for figures. About 10 ns, twice that on virtual machines.
*)

external pause : (int[@untagged]) -> unit = "weft_pause_boxed" "weft_pause"
[@@noalloc]
(** [pause n] returns after [n] ticks or a little later, and leaves more to the other thread of the
    processor's core. No safepoint comes within: the collector may have to wait for it. *)
