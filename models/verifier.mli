(** One run of Spin: a model becomes a C program, which explores every reachable state. *)

type verdict =
  | Holds  (** all states were explored, and no assertion is ever violated *)
  | Violated of string  (** a schedule violates this assertion *)
  | Unclear of string  (** neither was shown; the reason *)

type outcome = {
  verdict : verdict;
  states : int;  (** different states seen *)
  seconds : float;  (** of all steps *)
}

exception Tool_failed of string
(** A tool could not be run, or refused its input; the string is one line with its name and its own words. *)

val run : ?memory_mib:int -> ?seconds:float -> optimise:bool -> knobs:string list -> string -> outcome
(** [run ~optimise ~knobs path] checks the model in the file [path] with these preprocessor definitions. It
    works in a temporary directory of its own, which it removes. It waits for [spin], then [gcc] (1.5 s with
    [optimise], 0.3 s without, but then exploring takes three times as long), then the exploration, which may
    use [memory_mib] (default 1024) and [seconds] (default: an hour); more ends in [Unclear].
    @raise Tool_failed if [spin] or [gcc] fails.
    @raise Sys_error if the temporary directory cannot be used. *)

val read_report : string -> verdict * int
(** [read_report text] is what [text], printed by the C program, says, and how many states it counts (0 if it
    does not say). Anything unexpected is [Unclear]: an exploration cut short by a limit, a process stuck
    outside the places where it may end, an error in the model itself. *)
