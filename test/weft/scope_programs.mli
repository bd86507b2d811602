(** Random programs of scopes, tasks, channels and requests to stop.

    All that a program makes has a name, a number: threads (its tasks, and the sides of its forks; 0 is the
    program itself), scopes, channels, messages. Each place of a program runs at most once. What was not made,
    since a shrunk program lacks it, is passed over wherever it is used.

    A thread computes a number: each operation mixes what it has come by into the value so far. *)

type policy = Weft.Scope.policy = Cancel_rest | Keep_going

type op =
  | Add of int
  | Spin of int
  | Yield
  | Sleep
  | Check
  | Send of int * int  (** to this channel, this message *)
  | Recv of int
  | Drain of int  (** receives until the channel is closed *)
  | Close of int
  | Fail of int
  | Stop of int  (** cancels a scope *)
  | Await of int  (** a task *)
  | Par of { left : int; right : int; sides : code * code }
  | Loop of code list  (** that have nothing to do with each other *)
  | Shield of code
  | Too_late of code  (** with a time limit of 0 *)
  | In_time of code  (** with one that is never reached *)
  | Catch of code  (** what has failed *)
  | Scope of { scope : int; policy : policy; channels : (int * int) list; body : code }
      (** channels with their capacity; [max_int]: unbounded *)
  | Start of { task : int; scope : int; code : code }

and code = op list

val print : code -> string
val shrink : code QCheck.Shrink.t
val parts : op -> code list
val has : (op -> bool) -> code -> bool

val length : code -> int
(** The number of operations. *)

val names_in : code -> int * int * int * int
(** How many threads, scopes, channels and messages are named. *)

(** {1 What is computed} *)

val mix : int -> int -> int
(** The value so far, with something new. *)

(** What is mixed in for... *)

val nothing_comes : int
(** a message from a channel that is closed and empty, *)

val all_drained : int
(** the end of [Drain], *)

val nobody_takes : int
(** what was sent to a closed channel, *)

val too_late : int
(** [Too_late], *)

val stopped : int
(** a scope that was cancelled, *)

val closed : int
(** a task that would have come after its scope, *)

val caught : int -> int
(** a failure. *)

(** {1 At random} *)

val deterministic : Random.State.t -> code
(** A program that comes to one outcome, whatever the schedule: of channels between one sender and one
    receiver each, between scopes, forks and loops; with failures and requests whose effect does not depend on
    who comes first. The endings of what they stop do. *)

val racing : Random.State.t -> code
(** A small program of anything. It may wait for ever. *)
