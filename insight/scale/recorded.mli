(** Profiles read from files: see [Weft.Profile.save]. *)

type figures = { work : int; span : int; burdened : int }
(** Nanoseconds. *)

type region = {
  name : string;
  parent : int option;  (** the parent's number in {!field-regions} *)
  calls : int;
  figures : figures;  (** including the regions inside *)
  own : int;  (** work without the regions inside *)
  on_path : int;  (** its part of the whole span *)
}

type step =
  | Run of int
  | Fork of int
  | Join of int
  | Post of int
  | Wait of int
  | Idle of int  (** Tasks and events are given by number, times in nanoseconds. *)

type t = {
  workers : int;
  total : figures;
  elsewhere : int;  (** the part of the span that is in no region *)
  burden : int;
  overhead : int;
  grain : int;
  outside : int option;
      (** ns of processor time of the process while nobody was calling into Weft's pools; known of whole
          programs *)
  is_cut : bool;  (** whether the graph is incomplete *)
  regions : region array;
  tasks : step array array;  (** the steps of each task; task 0 runs first *)
  events : int;  (** the number of events, which are numbered from 0 *)
}

type file = Profile of t | Times of int  (** the time in calls, in nanoseconds *) | Unfinished

val read : string -> (file, string) result
(** [read name] is the contents of the file of that name, in any form that {!Weft_files.Input} reads. [Error]
    is one line for the user that names the file and, if a line is wrong, that line. *)

val of_lines : string list -> (file, string) result

val name : t -> region -> string
(** The region's name after those of the regions around it: ["outer/inner"]. *)
