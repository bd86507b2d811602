(** Weft's loops on many machines, through an MPI that is installed there.

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
    All ranks run the same program. The functions below are collective: all ranks call the same functions with
    the same arguments in the same order, and each computes a part. Everything else is computed by every rank
    for itself: so print on rank 0 only. Without [mpirun] there is one rank, and the functions are Weft's own.
    If ranks call different functions at the same time, no value of one comes out of the other: they raise
    [Invalid_argument] if both functions exchange values in the same way; otherwise MPI reports an error, or
    the job hangs. Ranks that only send may not notice, and return. The world should not be used afterwards
    ([doc/limits.md]). Calls of the same function in another order are not noticed: values of another type
    then come out, as with [Marshal].

    {b The same results.} No result depends on how many ranks and domains there are, nor on which of them
    computes what: sums of floats have the same bits as on one process.

    {b Where the effects are.} An iteration runs on one rank, and what it writes into an array or a [ref] is
    written there alone. So return values: those go to all ranks, marshalled. They must not contain functions.
    The other ranks get copies: a change of a mutable part is not seen there, and [==] is [false] between
    copies.

    {b Balance.} Ranks take pieces of the range from a counter on rank 0. Each rank chooses the length of its
    next piece so that it takes about a millisecond, judged by its last one; towards the end of the range
    pieces are shorter. Nothing needs to be tuned, and iterations may differ in time. A loop costs each rank a
    handful of small messages: some ten microseconds on one machine, so its iterations should take a
    millisecond together.

    {b Exceptions.} If an iteration raises, no new pieces begin. When the running ones have ended, all ranks
    raise: the rank where it happened raises the exception itself, all others raise {!Elsewhere}. If several
    iterations fail, the exception is that of the leftmost piece. A result that cannot be marshalled, an
    exception of the comparison of {!sort}, and a cancellation of the calling fiber have the same effect. But
    once a function exchanges results with the other ranks, it does so to its end, and a cancellation is
    raised when the fiber next looks for one. If an exception leaves {!run} on any rank, the whole job ends:
    the rank, the exception and the backtrace go to standard error, and the exit code is 2.

    {b Waiting} suspends the calling fiber; other fibers of the rank go on. Two fibers of a rank must not call
    these functions at the same time with the same world ({!of_comm} makes more worlds).

    {b Cost.} Beside its iterations, each function makes O(ranks) small steps: it cuts the range into some
    hundred cells for each rank ([lib/mpi/cut.mli]).

    {b Limits}: [doc/limits.md], section {e Many machines}. *)

module Mpi = Mpi
module Distributed_array = Distributed_array

type world = World.t
(** The ranks of a job, or some of them. *)

exception Elsewhere of { rank : int; text : string; backtrace : string }
(** Another rank raised an exception: its text and its backtrace, if that was recorded. *)

(** {1 The job} *)

val run : ?domains:int -> (world -> 'a) -> 'a
(** [run f] is [f world] in a pool ([Weft.run]), on every rank. It initializes MPI if necessary, and waits for
    all ranks. It may be called again, by all ranks. MPI is finalized when the program exits, which waits for
    all ranks. If there are several ranks, these end the whole job: a call of [exit] inside [f], an exception
    that leaves [f] or the program, and a rank that exits while another one calls [run] again. So do ranks
    that run different programs (their files differ; for such jobs there is {!Mpi}). Do not call [run] in a
    task of a pool.
    @raise Failure as {!Mpi.init}. *)

val rank : world -> int
(** [rank world] is the number of the calling process, from 0. O(1). *)

val size : world -> int
(** [size world] is the number of ranks. O(1). *)

val comm : world -> Mpi.Comm.t
(** [comm world] is the communicator of these ranks, for functions of {!Mpi}. Its messages never mix with
    those of this module. *)

val of_comm : Mpi.Comm.t -> world
(** [of_comm comm] is a world of the ranks of [comm]; all of them must call this. Until it is freed, it holds
    two communicators of MPI and memory on its rank 0. *)

val free : world -> unit
(** [free world] frees what {!of_comm} has made; all ranks of [world] must call it, and none may use [world]
    afterwards. The communicator [comm world] stays usable. A cancellation does not stop it.
    @raise Invalid_argument for the world of {!run}, and if it has been freed. *)

(** {1 Loops}

    These have the arguments of Weft's loops. *)

val parallel_for : world -> start:int -> finish:int -> body:(int -> unit) -> unit -> unit
(** [parallel_for world ~start ~finish ~body ()] calls [body i] for each [i] from [start] to [finish]
    (included), each on one rank, and returns when all have ended everywhere. *)

val parallel_for_reduce :
  ?chunk_size:int -> world -> start:int -> finish:int -> body:(int -> 'a) -> ('a -> 'a -> 'a) -> 'a -> 'a
(** [parallel_for_reduce world ~start ~finish ~body combine init] has the same result, to the bit, as
    [Weft.parallel_for_reduce] with the same arguments: the tree of the reduction depends on the whole range
    alone, and each piece is a subtree. Every rank combines the O(ranks) nodes above the pieces; then the
    ranks tell each other, by one all-reduce of three integers, whether that has failed on one of them. *)

val parallel_find_first : world -> start:int -> finish:int -> body:(int -> 'a option) -> unit -> 'a option
(** [parallel_find_first world ~start ~finish ~body ()] has the result of [Weft.parallel_find_first]. Once an
    answer is known, no pieces to its right begin; those that have begun on other ranks run to their end. *)

(** {1 Arrays}

    All ranks give the same array, and all get the whole result: O(n) words on each rank. For arrays of which
    each rank has a part, see {!Distributed_array}. *)

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
(** [scan world f a] is [Weft.Array.scan f a], to the bit. Every rank adds up the sums of all blocks; their
    number depends on the length of [a] alone, and is at least 64 if [a] is long enough. Then the ranks tell
    each other, by one all-reduce of three integers, whether that has failed on one of them. *)

val sort : world -> ('a -> 'a -> int) -> 'a array -> 'a array
(** [sort world compare a] is a new array with the elements of [a] in increasing order; equal ones keep their
    order. Each rank sorts a part, of O(n / ranks) elements unless many elements are equal. *)

(** {1 Values} *)

val broadcast : ?root:int -> world -> 'a -> 'a
(** [broadcast world v] is, on every rank, the value [v] of rank [root] (default 0).
    @raise Invalid_argument if there is no such rank. *)

val gather : world -> 'a -> 'a array
(** [gather world v] is, on every rank, the array of the values [v] of all ranks, in the order of the ranks.
*)

val barrier : world -> unit
(** [barrier world] returns when all ranks have called it. A cancelled fiber raises at once; for the other
    ranks it has called it. *)
