(** Weft's loops over many machines, by an MPI that is there already.

    {[
      let sample i =
        let state = Random.State.make [| i |] in
        let x = Random.State.float state 1. and y = Random.State.float state 1. in
        if (x *. x) +. (y *. y) < 1. then 1 else 0

      let () =
        Weft_mpi.run (fun world ->
            let n = 10_000_000 in
            let hits = Weft_mpi.parallel_for_reduce world ~start:1 ~finish:n ~body:sample ( + ) 0 in
            if Weft_mpi.rank world = 0 then Printf.printf "%f\n" (4. *. float hits /. float n))
    ]}

    [mpirun -n 4 ./pi.exe] starts the program four times; each process is a {e rank}, with a pool of its own.
    All ranks run the same program. In the functions below they come together: all call the same functions
    with the same arguments in the same order, and each computes a part. Everything else is computed by every
    rank for itself: so print on rank 0. Without [mpirun] there is one rank, and the functions are Weft's own.

    {b The same results.} No result depends on how many ranks and domains there are, nor on which of them
    computes what: sums of floats have the same bits as on one process.

    {b Where the effects are.} An iteration runs on one rank, and what it writes into an array or a [ref] is
    written there alone. So return values: those go to all ranks, marshalled. They must hold no functions, and
    what is compared with [==] or has mutable parts is a copy on the other ranks.

    {b Balance.} Ranks take pieces of the range from a counter at rank 0; each makes them as long as a
    millisecond, by what the last one took, and shorter towards the end. Nothing needs to be tuned. An
    iteration may take any time. A loop costs each rank a handful of small messages: some ten microseconds on
    one machine, so its iterations should take a millisecond together.

    {b Exceptions.} If an iteration raises, no new pieces begin, and all ranks raise when those that run have
    ended: the rank where it happened the exception itself, all others {!Elsewhere}. Of several failures that
    of the leftmost piece counts. A result that cannot be marshalled and a comparison of {!sort} that raises
    fail in the same way, as does a fiber that is cancelled in one of these functions. But once it exchanges
    with the other ranks what it has computed, it does so to the end, and the cancellation is raised at the
    next point. If an exception leaves {!run} on any rank, the whole job ends: rank, exception and backtrace
    go to standard error, and the exit code is 2.

    {b Waiting} suspends the calling fiber; a rank goes on with its other fibers. Two fibers of a rank must
    not be in these functions at the same time with the same world ({!of_comm} makes others).

    {b Cost.} Each function is O(ranks) small steps, some hundred for each rank, beside its iterations. *)

module Mpi = Mpi

type world
(** The ranks of a job, or some of them. *)

exception Elsewhere of { rank : int; text : string; backtrace : string }
(** Another rank raised an exception: its text and its backtrace, if that was recorded. *)

(** {1 The job} *)

val run : ?domains:int -> (world -> 'a) -> 'a
(** [run f] is [f world] in a pool ([Weft.run]), on every rank. It initializes MPI, if that has not been done.
    It waits for all ranks, and may be called again, by all of them; MPI ends when the program exits, which
    waits for all ranks. To call [exit] inside [f], or to leave [f] or the program by an exception, ends the
    job on all ranks, if there are several; so does a rank that has come to its end where another one calls
    [run] again. Do not call it in a task of a pool.
    @raise Failure as {!Mpi.init}. *)

val rank : world -> int
(** The number of the calling process, from 0. *)

val size : world -> int
(** How many ranks there are. *)

val comm : world -> Mpi.Comm.t
(** The communicator of these ranks, for functions of {!Mpi}. Its messages do not meet those of this module.
*)

val of_comm : Mpi.Comm.t -> world
(** The ranks of a communicator, all of which call this. It has two communicators of MPI's own, and memory at
    its rank 0, until it is freed. *)

val free : world -> unit
(** Nobody may use it any more; {!comm} of it lives on. All its ranks call this. A fiber that is cancelled
    does it, too, to the end.
    @raise Invalid_argument for the world of {!run}, and if it has been freed. *)

(** {1 Loops}

    They have the arguments of Weft's loops. *)

val parallel_for : world -> start:int -> finish:int -> body:(int -> unit) -> unit -> unit
(** [parallel_for world ~start ~finish ~body ()] calls [body i] for each [i] from [start] to [finish]
    (included), each on one rank, and returns when all have ended everywhere. *)

val parallel_for_reduce :
  ?chunk_size:int -> world -> start:int -> finish:int -> body:(int -> 'a) -> ('a -> 'a -> 'a) -> 'a -> 'a
(** [parallel_for_reduce world ~start ~finish ~body combine init] is what [Weft.parallel_for_reduce] is with
    the same arguments, to the bit: the tree of its reductions stands over the whole range, and pieces are
    nodes of it. The upper nodes, O(ranks), are combined by every rank. *)

val parallel_find_first : world -> start:int -> finish:int -> body:(int -> 'a option) -> unit -> 'a option
(** What [Weft.parallel_find_first] is. Once an answer is known, no pieces to its right begin; those that have
    begun on other ranks go on to their end. *)

(** {1 Arrays}

    All ranks give the same array, and all get the whole result: O(n) words on each rank. *)

val init : world -> int -> (int -> 'a) -> 'a array
(** [init world n f] is [[| f 0; ...; f (n - 1) |]].
    @raise Invalid_argument as [Array.init]. *)

val map : world -> ('a -> 'b) -> 'a array -> 'b array
(** [map world f a] is [Array.map f a]. *)

val mapi : world -> (int -> 'a -> 'b) -> 'a array -> 'b array
(** [mapi world f a] is [Array.mapi f a]. *)

val group_by : world -> key:('a -> 'k) -> 'a array -> ('k * 'a array) array
(** [group_by world ~key a] is [Weft.Array.group_by ~key a]: a pair for each different key, in the order of
    their first elements, with the elements that have it, in the order of [a]. The ranks share the calls of
    [key]; each merges the groups of all pieces, O(n) steps, and gets n integers from the others. *)

val scan : world -> ('a -> 'a -> 'a) -> 'a array -> 'a array
(** What [Weft.parallel_scan] is, to the bit. The sums of its blocks, a 2,048th of the elements or fewer, are
    added up by every rank; at least 64 blocks. *)

val sort : world -> ('a -> 'a -> int) -> 'a array -> 'a array
(** [sort world compare a] is a new array with the elements of [a] in increasing order; equal ones keep their
    order. Each rank sorts a part, O(n / ranks) if no value comes very often. *)

(** {1 Values} *)

val broadcast : ?root:int -> world -> 'a -> 'a
(** [broadcast world v] is the value [v] that rank [root] (default 0) gives.
    @raise Invalid_argument if there is no such rank. *)

val gather : world -> 'a -> 'a array
(** [gather world v] is the array of the values that the ranks give, in their order; on all ranks. *)

val barrier : world -> unit
(** Returns when all ranks have called it. A fiber that is cancelled raises at once, and counts as having
    called it. *)
