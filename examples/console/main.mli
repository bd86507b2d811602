(** The frame of a small program: options, a computation in a pool, some lines of output. *)

exception Cannot of string
(** The program cannot do what it was asked to: the message says why, and what to do. *)

val cannot : ('a, unit, string, 'b) format4 -> 'a
(** [cannot format ...] raises {!Cannot}. *)

val run :
  name:string -> doc:string -> description:string list -> (unit -> unit -> unit) Cmdliner.Term.t -> unit
(** [run ~name ~doc ~description work] is a whole program. It reads the command line with the options of
    [work] and [--domains], and calls the function that [work] yields in a pool of so many domains. That
    returns a function, which it calls outside of the pool, to print the result. [run] does not return. [doc]
    is a line, [description] the paragraphs of [--help].

    The exit code is 0; 2 if {!Cannot} was raised, or a [Sys_error], or the result cannot be written, with one
    line on standard error; 124 if the command line is wrong. *)

val run_with_code :
  name:string ->
  doc:string ->
  description:string list ->
  exits:Cmdliner.Cmd.Exit.info list ->
  (unit -> unit -> int) Cmdliner.Term.t ->
  unit
(** The same with exit codes of its own: the function that prints the result also returns the code. [exits]
    describes the codes. *)
