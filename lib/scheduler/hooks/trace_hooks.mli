(** Who is told what the scheduler does: nobody, at first.

    The scheduler looks at {!on} wherever it takes a slow path anyway (a job from a queue, a search, a wait, a
    sleep; never at a fork), which costs a load and a predictable branch, and calls the {!type-listener} if it
    is [true]. It does not know who that is: a tracer {!install}s itself.

    Everything is called by the thread that it is about, on the domain that it happens in; from signal
    handlers too. A listener must be quick, must neither wait nor suspend nor raise, and may be called from
    many domains at the same time. *)

type about = {
  number : int;  (** of the object that is waited for; 0: not known *)
  name : string;  (** that the program gives it; or empty *)
  place : int;
      (** of the function that will run with it ({!Weft_platform.Closure.place}), such as that of a
          [Mutex.protect]; or 0 *)
  holder : unit -> Owner_id.t option;  (** who has it at this moment, as far as that is known *)
}

val nothing : about
(** Also what a new object has. *)

type listener = {
  joined : worker:int -> index:int -> pool:string -> forks:int -> returned:bool -> unit;
      (** The calling thread is the worker numbered [worker] among all of the process, [index] in its pool,
          from now on. [returned]: it had retired. *)
  seen : worker:int -> index:int -> pool:string -> forks:int -> unit;
      (** Likewise since some time ago: said again now and then. *)
  left : worker:int -> index:int -> pool:string -> forks:int -> retired:bool -> unit;  (** No longer. *)
  runs : worker:int -> from:int -> resumed:bool -> unit;
      (** It begins a job, or goes on with a fiber, taken from {!own}, {!injector}, {!background} or from the
          deque of the worker with that number; until it says something else. *)
  searches : worker:int -> at_hand:int -> unit;
      (** It looks for a job. [at_hand]: how many there are at others, about. *)
  parks : worker:int -> unit;  (** It goes to sleep, *)
  unparked : worker:int -> unit;  (** and is awake. *)
  fiber_begins : Fiber_id.t -> unit;
      (** The calling fiber has this identity from now on: it has just begun, or is told that its function is
          another one. *)
  wakes : unit -> unit;  (** It has woken another one. *)
  wait_begins : what:string -> about:about -> int;
      (** The calling fiber or thread waits, for [what]. The result names the wait. *)
  wait_ends : int -> unit;
  woke : Fiber_id.t -> unit;  (** The calling fiber or thread has ended the wait of that fiber. *)
  block_ended : first:int -> last:int -> began:int -> ended:int -> alone:bool -> place:int -> unit;
      (** A block of a loop with the body at [place] began and ended at these {!Weft_platform.Tsc}; the worker
          did nothing else meanwhile, if [alone]. *)
  batch_ended : structure:int -> size:int -> parallel:bool -> nanoseconds:int -> unit;
  call_begins : unit -> int;  (** A blocking call, on the thread that makes it. *)
  call_ends : int -> unit;
  cancelled : exn -> unit;  (** Some context has been stopped. *)
  region_begins : string -> int;  (** Of the user's; on whatever worker it ends. *)
  region_ends : int -> unit;
  instant : string -> unit;
  look : unit -> unit;
      (** A pool is being made, or a worker goes to sleep. Called even if not {!on}: a tracer may see whether
          it is wanted. *)
}

val own : int
val injector : int
val background : int

val on : bool ref
(** Whether anybody listens. Plain: who has not seen the change yet is a little late. *)

val listener : listener ref
(** Does nothing until one is installed. *)

val install : listener -> unit
(** From now on, while {!on}. *)

(** {1 Objects that somebody may wait for} *)

val named : about -> string -> about
(** The same, with that name, and a number. *)

val numbered : about -> about
(** The same, with a number. Calls for one object are made under its lock. *)

(** {1 Calling}

    If not {!on}, they call the function and do nothing else. *)

val while_waiting : what:string -> about:about -> ('a -> 'b) -> 'a -> 'b
(** [while_waiting ~what ~about f x] is [f x], a wait whose beginning and end are told. *)

val while_calling : ('a -> 'b) -> 'a -> 'b
(** Likewise, of a blocking call. *)

val within_region : string -> (unit -> 'a) -> 'a
(** Likewise, of a region. *)
