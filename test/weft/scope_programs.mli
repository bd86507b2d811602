(** Random programs of scopes, tasks, channels and requests to stop.

    Everything that a program makes has a number as its name: threads (its tasks, and the sides of its forks;
    0 is the program itself), scopes, channels, messages. Each place of a program runs at most once. A shrunk
    program may lack something: operations that use it are skipped.

    A thread computes a number: each operation mixes its result into the value so far. *)

type policy = Weft.Scope.policy = Cancel_rest | Keep_going

type op =
  | Add of int
  | Spin of int
  | Yield
  | Sleep
  | Check
  | Send of int * int  (** sends this message to this channel *)
  | Recv of int
  | Drain of int  (** receives until the channel is closed *)
  | Close of int
  | Fail of int
  | Stop of int  (** cancels a scope *)
  | Await of int  (** a task *)
  | Par of { left : int; right : int; sides : code * code }
  | Loop of code list  (** independent of each other *)
  | Shield of code
  | Too_late of code  (** with a time limit of 0 *)
  | In_time of code  (** with a time limit that is never reached *)
  | Catch of code  (** goes on where the code has failed *)
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
(** Mixes something new into the value so far. *)

(** The values that are mixed in for... *)

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
(** A program with one outcome, whatever the schedule: its channels have one sender and one receiver each; it
    has scopes, forks and loops, and failures and requests whose effect does not depend on who comes first.
    The endings of what they stop may differ. *)

val racing : Random.State.t -> code
(** A small program of any operations. It may wait for ever. *)
