(** The files of {!Profile}, which [weft scale] reads.

    Text, one thing a line, whole numbers in nanoseconds:
    {v
    weft-profile 1
    workers 2
    total WORK SPAN BURDENED
    elsewhere NS                     of the span, in no region
    settings BURDEN OVERHEAD GRAIN
    outside NS                       of processor time, outside all pools; only of a whole program
    cut 0                            1: the graph is not whole
    region PARENT CALLS WORK SPAN BURDENED OWN PATH "name"     PARENT by number from 0 on; -1: none
    task STEPS                       the first is the one that makes the calls from outside
    R 1200 F 1 R 300 J 1 ...         its steps, in order
    end
    v}
    Steps: [R] runs for so long; [F] makes the task of that number; [J] waits for its end; [P] settles an
    event, [W] waits for it; [I] waits for so long. If a file begins with the line
    [weft-profile 1 unfinished], its program has not ended normally. *)

type region = {
  name : string;
  parent : int;
  calls : int;
  work : int;
  span : int;
  burdened : int;
  own : int;
  on_path : int;
}

type t = {
  workers : int;
  work : int;
  span : int;
  burdened : int;
  elsewhere : int;
  burden : int;
  overhead : int;
  grain : int;
  outside : int option;
  regions : region list;  (** outer ones first *)
  graph : Task_graph.t;
  main : Task_graph.task;
  ns : int -> int;  (** of ticks, for the steps *)
}

val begin_file : string -> unit
(** Writes only the line of an unfinished program. Nothing, if there is something other than a file: a pipe, a
    device, a link.
    @raise Sys_error *)

val write_times : string -> int -> unit
(** For a program of which only the time in calls was measured: writes the lines [weft-profile 1], [calls NS]
    and [end].
    @raise Sys_error *)

val write : string -> t -> unit
(** Writes the file completely or not at all: it writes another file beside it and renames that. A pipe, a
    device, or the file that a link leads to, is written as it is.
    @raise Sys_error *)
