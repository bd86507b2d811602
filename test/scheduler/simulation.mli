(** A machine on which pools run, in steps of 0.1 ms: what {!Weft_scheduler.Worker_throttle} is tried on.

    {b The machine}: processors with a queue each. Who has run for 3 to 5 ms while others wait goes to the
    queue's end; so does who wakes and finds no idle processor, even if it slept for a moment only. An idle
    processor takes a thread that has waited for 0.5 ms from another queue, and every 12 ms the longest queue
    gives one to the shortest. All threads of the pools may be under one quota, so much of every 100 ms.

    {b A pool} has as many active workers as its room allows, and as there is work for. One more than that
    stops at its next fork, or after its task; a new one begins 0.1 ms after it was called. If the program
    allocates, then whenever a worker has computed for so long all active ones that are in no system call must
    meet, three times in a row, as OCaml's domains do for each minor collection: who is first spins for 0.2 ms
    and then sleeps.

    {b Readings} are taken every 10 ms, or up to 3 ms later if all processors are busy, by a worker that waits
    or at the next fork or task. They are what Linux would tell: how long a running thread has run is brought
    up to date every 4 ms and when it stops; how long one has waited, when the wait ends. *)

type task =
  | Fork  (** computes for ever, and forks all the time *)
  | Compute of int  (** steps, without a fork *)
  | Sleep of int  (** steps in a system call *)
  | Meet of int  (** spins until so many workers of the pool do *)

type control = Fixed of int  (** the room, always *) | Crowd  (** a controller of its own *)
type pool

val pool :
  ?collect_every:int -> control:control -> workers:int -> processors:int -> (unit -> task option) -> pool
(** [collect_every]: steps; if left out, nothing is allocated. [processors]: what the controller is told. The
    function is called for each next task. *)

val forever : task -> unit -> task option
val times : int -> task -> unit -> task option

type t

val machine : ?quota:float -> ?neighbours:(int -> bool) list -> processors:int -> pool list -> t
(** [quota]: processors. Neighbours are threads that run whenever they can at the steps for which they say so.
*)

val run : t -> ms:int -> unit
(** Goes on for so long. *)

(** {1 What came of it} *)

val useful : pool -> float
(** Milliseconds that workers have computed, but not spun or waited. *)

val finished : pool -> int
(** Tasks. *)

val room : pool -> int

val rooms : pool -> (int * int) list
(** Of every look the time in ms, and the room, latest first. *)
