(** Requests of fibers. {!Completion} completes those that take long.

    {b Who calls MPI.} With SERIALIZED, any thread, one at a time: the stubs take one lock. A fiber posts its
    request itself and tests it for some microseconds ({e the direct path}). If the request has not completed
    then, the fiber hands it to the {e communication thread} and is suspended. With FUNNELED, the
    communication thread makes all calls, MPI's beginning and end included; fibers hand it functions.

    {b The direct path} is left at once if the worker has other jobs. In a pool of one worker it lasts up to a
    millisecond while there is nothing else to do, so that a small exchange needs no switch. Requests that are
    posted to be awaited later ({!post}), as the messages of a stencil are, do not take it: they are tested
    once, and then the communication thread completes them.

    {b Messages} are matched before they are received ([MPI_Improbe], then [MPI_Imrecv]): so their length is
    known when memory is given to MPI, and a fiber that no longer wants a message takes none. The first fiber
    to call gets the first message: while one waits on the communication thread, others do not match directly.

    {b Cancellation.} A fiber that waits for a message is taken out of the queue by the communication thread,
    and raises; if the message has been matched before, it gets it, and receives it to the end. Other requests
    go on by themselves, and the fiber raises at once; or, if it has more to do that others count on, it waits
    ([to_the_end]). The table keeps the arrays of a request until it has completed. Threads outside of pools:
    see {!Outside}. *)

type level = Funneled | Serialized

type status = int array
(** As in {!Raw.status_words}. *)

type pending

(** {1 Beginning and end} *)

val start_mpi : level -> unit
(** [start_mpi wanted] initializes MPI. Waits for all ranks.
    @raise Failure if MPI does not give that level, or has been finalized. *)

val stop_mpi : unit -> unit
(** Finalizes MPI: waits for all ranks. Nothing of this module may be called any more. *)

(** {1 Calls} *)

val check : unit -> unit
(** Raises if the calling fiber is cancelled; outside of pools, if a signal's handler has raised in an earlier
    call of this thread that could not end then. Each function for users begins with it. Functions of several
    steps check only there, so that all the steps that other ranks count on are posted. *)

val post : ?to_the_end:bool -> what:string -> keep_alive:'a -> (unit -> Raw.request) -> pending
(** [post ~what ~keep_alive f] posts the request that [f ()] makes. Neither suspends nor {!check}s.
    [keep_alive] is kept alive until the request has completed. [finish] need not be called. *)

val finish : pending -> unit
(** Returns when the request has completed. Suspends the fiber; outside of pools it blocks the thread. Not
    cancellable if the request was posted [~to_the_end:true].
    @raise Raw.Error in the name of [what]. *)

val completes_within : pending -> float -> bool
(** [completes_within p seconds] is whether [p] has completed by then. Blocks the calling thread, be it a
    worker. *)

val perform : ?even_if_cancelled:bool -> what:string -> keep_alive:'a -> (unit -> Raw.request) -> unit
(** {!check}, {!post} and {!finish}, by the direct path if it leads there. [even_if_cancelled] (default
    [false]): no {!check}, so that the request is posted in any case. *)

val receive :
  what:string ->
  source:int ->
  tag:int ->
  Raw.comm ->
  (Raw.message -> int -> Raw.request * Pending.keep_alive) ->
  status
(** [receive ~what ~source ~tag comm post] waits for a message, and is its status once it has been received. A
    negative source or tag stands for any. Receives that wait get their messages in the order of the calls.
    [post m bytes] receives the message [m], of this length, by {!Raw.imrecv}, and says what to keep alive; it
    is called as soon as the message has come, on any thread: so the sender need not wait for a worker. *)

val perform_to_the_end : what:string -> keep_alive:'a -> (unit -> Raw.request) -> unit
(** {!perform}, without {!check}, and not cancellable: it waits to the end, in a pool that is closed too. *)

val call : what:string -> (unit -> 'a) -> 'a
(** [call ~what f] is [f ()], on a thread that may call MPI. [f] waits for no other rank, or only for ranks
    that are about to make the same call. Neither cancellable, nor does it {!check}. *)

val open_window : unit -> unit
(** Other machines access this rank's memory from now on: the communication thread lets MPI answer them. *)

val close_window : unit -> unit
(** Undoes one call of {!open_window}. *)
