(** Profiles read from files: see [Weft.Profile.save]. *)

type figures = { work : int; span : int; burdened : int }
(** Nanoseconds. *)

type region = {
  name : string;
  parent : int option;  (** its number in {!field-regions} *)
  calls : int;
  figures : figures;  (** with the regions inside *)
  own : int;  (** work without those *)
  on_path : int;  (** its part of the whole span *)
}

type step =
  | Run of int
  | Fork of int
  | Join of int
  | Post of int
  | Wait of int
  | Idle of int  (** Tasks and events by number, times in nanoseconds. *)

type t = {
  workers : int;
  total : figures;
  elsewhere : int;  (** of the span: in no region *)
  burden : int;
  overhead : int;
  grain : int;
  in_calls : int;
  is_cut : bool;  (** the graph is not whole *)
  regions : region array;
  tasks : step array array;  (** 0 is the first to run *)
  events : int;  (** they are numbered from 0 *)
}

type file = Profile of t | Times of int  (** the time in calls, in nanoseconds *) | Unfinished

val read : string -> (file, string) result
(** [read name] is the file of that name, in any form that {!Weft_files.Input} reads. [Error] is one line for
    the user that names the file, and the line if one is wrong. *)

val of_lines : string list -> (file, string) result

val name : t -> region -> string
(** With those around it: ["outer/inner"]. *)
