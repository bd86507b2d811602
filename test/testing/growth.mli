(** Checks what the docstrings say about cost, by counting work for n elements and for 4 n.

    Work is never a time. It is the number of calls of the functions that the caller gives (comparisons,
    hashes, closures), and of words that the calling domain allocates. The tests run in a pool of one worker,
    so that all calls are counted. Work that is too much by chance is counted again
    ({!Watchdog.until_undisturbed}). *)

type bound = Constant | Logarithmic | Linear | Linear_log  (** n log n *)

type case
(** A function of a library, and its stated cost. *)

val calls : string -> bound -> ((unit -> unit) -> int -> unit -> unit) -> case
(** [calls name bound f]: the work of [f note n ()] is within [bound]; the work of [f note n] before it is not
    counted. Each function that is given must call [note] at least once. The name is that of the function;
    details may follow a comma.

    Words are within the same bound. *)

val words : string -> bound -> (int -> unit -> unit) -> case
(** The same for functions that call none of the caller's: only words, so much work may go uncounted. *)

val each : case -> case
(** The same, but the case makes n calls of the function, and its bound is that of all of them. *)

val check : string -> ?between:(unit -> unit) -> sizes:int list -> case list -> unit
(** [check prefix ~sizes cases]: none of [cases] does more work than stated for any of [sizes]. If one does
    each time, the watchdog finds it, and its report names [prefix], the function and the work. After each
    count it calls [between]. *)

val name : case -> string

val prepared : case -> int -> unit -> unit
(** [prepared case n] makes what a call needs; applied to [()], it calls, and counts nothing. *)

val stated : case -> string
(** The bound of one call, as docstrings write it: ["O(n)"]. *)

val values : string -> string list
(** The names of the values in the text of an [.mli], each once. *)

val procedures : string -> string list
(** The names of those whose result is [unit]. *)
