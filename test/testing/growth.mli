(** What the docstrings say about cost, held by counting work for n elements and for 4 n.

    Work is never a time. It is the calls of the functions that the caller gives (comparisons, hashes,
    closures), and the words that the calling domain allocates. The tests run in a pool of one worker, so that
    all calls are counted. What is too much by chance is counted again ({!Watchdog.until_undisturbed}). *)

type bound = Constant | Logarithmic | Linear | Linear_log  (** n log n *)

type case
(** A function of a library, and what is stated of it. *)

val calls : string -> bound -> ((unit -> unit) -> int -> unit -> unit) -> case
(** [calls name bound f]: the work of [f note n ()] is within [bound]; of what [f note n] does before, nothing
    is counted. [note] is to be called by each function that is given: at least once. The name is that of the
    function; behind a comma it may say more.

    Words are within the same bound. *)

val words : string -> bound -> (int -> unit -> unit) -> case
(** Likewise, of what calls no function of the caller's: words alone, so that much may be done that is not
    counted. *)

val each : case -> case
(** Likewise, but the case makes n calls of the function, and its bound is that of all of them. *)

val check : string -> ?between:(unit -> unit) -> sizes:int list -> case list -> unit
(** [check prefix ~sizes cases]: none of [cases] does more work than stated for any of [sizes]. One that does
    each time is the watchdog's, whose report names [prefix], the function and the work. After each count it
    calls [between]. *)

val name : case -> string

val stated : case -> string
(** The bound of one call, as docstrings write it: ["O(n)"]. *)

val values : string -> string list
(** The names of the values that the text of an [.mli] has, each once. *)

val procedures : string -> string list
(** The names of those whose result is [unit]. *)
