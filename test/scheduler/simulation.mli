(** A machine on which pools run, in steps of 0.1 ms: the tests try {!Weft_scheduler.Worker_throttle} on it.

    {b The machine}: processors with a queue each. A thread that has run for 3 to 5 ms while others wait goes
    to the queue's end; so does one that wakes and finds no idle processor, even if it slept only for a
    moment. An idle processor takes a thread that has waited for 0.5 ms from another queue, and every 12 ms
    the longest queue gives one to the shortest. All threads of the pools may share one quota of every 100 ms.

    {b A pool} has as many active workers as its room allows, and as there is work for. A worker beyond that
    number stops at its next fork, or after its task; a new one begins 0.1 ms after it was called. If the
    program allocates, then each time that a worker has computed for so long, all active workers that are in
    no system call must meet, three times in a row, as OCaml's domains do for each minor collection: a worker
    that waits there spins for 0.2 ms and then sleeps.

    {b Readings} are taken every 10 ms, or up to 3 ms later if all processors are busy, by a worker that waits
    or at the next fork or task. They are what Linux would report: the time that a running thread has run is
    updated every 4 ms and when it stops; the time that it has waited, when the wait ends. *)

type task =
  | Fork  (** computes for ever, and forks all the time *)
  | Compute of int  (** so many steps, without a fork *)
  | Sleep of int  (** so many steps in a system call *)
  | Meet of int  (** spins until so many workers of the pool spin *)

type control = Fixed of int  (** the room never changes *) | Crowd  (** a controller of its own *)
type pool

val pool :
  ?collect_every:int -> control:control -> workers:int -> processors:int -> (unit -> task option) -> pool
(** [collect_every]: in steps; if left out, nothing is allocated. [processors]: the number that the controller
    is told. The function is called for each next task. *)

val forever : task -> unit -> task option
val times : int -> task -> unit -> task option

type t

val machine : ?quota:float -> ?neighbours:(int -> bool) list -> processors:int -> pool list -> t
(** [quota]: in processors. Neighbours are threads that run whenever they can, at the steps for which their
    function holds. *)

val run : t -> ms:int -> unit
(** Simulates so much time. *)

(** {1 Results} *)

val useful : pool -> float
(** Milliseconds that workers have computed, without those in which they spun or waited. *)

val finished : pool -> int
(** Tasks that have ended. *)

val room : pool -> int

val rooms : pool -> (int * int) list
(** For every look its time in ms, and the room, latest first. *)
