(** Limits on how many fibers run at the same time.

    {[
      let downloads = Weft.Limit.create 4
      let all = Weft.all (List.map (fun url () -> Weft.Limit.run downloads (fun () -> fetch url)) urls)
    ]}

    At most [n] fibers run at the same time inside a limit of [n]. The calls of {!run} are inside, and all
    that they start: forks, loops, tasks. So a computation in a limit of 2 uses at most two domains of its
    pool, whatever it forks. A fiber that waits (for a promise, a lock, a time) does not run, and leaves its
    room to another one meanwhile. Fibers enter in the order in which they came, except calls of {!run} inside
    another limit.

    Limits may be nested, and shared by pools, threads and domains.

    {b Cost.} Each function is O(1). {!run} costs that for each call, and again each time a fiber inside
    enters again after it has waited; nested in k limits, O(k). *)

type t
(** A limit. *)

val create : int -> t
(** [create n] is a limit of [n].
    @raise Invalid_argument if [n < 1]. *)

val run : t -> (unit -> 'a) -> 'a
(** [run l f] is [f ()] inside [l]. If [n] fibers run there already, the calling fiber is suspended until
    there is room; it may be cancelled meanwhile. If the caller is inside [l] already, it is [f ()]. Outside a
    pool, it enters the default pool. About 0.2 us if there is room, and as much for each fork inside that is
    stolen.

    {b Limits of this}: [doc/limits.md], sections {e Waiting, locks and channels} and
    {e Cancellation and signals}. *)

val room : t -> int
(** The [n] of {!create}. *)

val running : t -> int
(** How many fibers run inside at this moment. It is 0 once all that was started inside has ended; a fiber
    that has seen that end by an [await] or a join sees 0, too. A fiber that waits for room in an inner limit,
    too, may be counted before it runs. *)
