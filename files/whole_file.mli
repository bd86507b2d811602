(** Files that are written whole or not at all.

    What is written goes to a temporary file beside its place, which takes the place of what was there when it
    is complete: who reads sees the old file or the new one, and a failure changes nothing. The new one has
    the mode of the old one, and its owner and group if the system lets us give files away. A symbolic link
    stays, also one to nowhere: its target is replaced. A device or a pipe is written directly, and ["-"] is
    standard output. What belongs to neither the user nor the owner of the folder, in a folder where anybody
    may make files (such as [/tmp]), is refused, and links that lead there: the rule of Linux's
    [fs.protected_symlinks].

    Every [Error] is one line for the user, without a newline: the option if there is one, the path, and why.
*)

type t
(** A place for a text. *)

val prepare : ?option:string -> string -> (t, string) result
(** [prepare ~option path] finds out, before any work is done, whether [path] can be written. Nothing is
    changed, and a pipe is not opened. [option] is what named the path, such as [--json]. [Error]: the path is
    empty, a folder, in a folder that is missing or closed to us; a device that may not be written; or it
    belongs to others. *)

val belongs_to_others : string -> bool
(** [belongs_to_others path] tells whether that rule forbids to write to [path], a file or a folder. *)

val is_stdout : t -> bool
(** [is_stdout place] tells whether [place] is standard output. *)

val same : t -> t -> bool
(** [same a b] tells whether both are standard output, or the same file or pipe, by whatever names. A device
    is not: it takes everything. *)

val replaces : t -> string -> bool
(** [replaces place path] tells whether writing to [place] would replace the file [path], or write into the
    pipe of that name. Nothing replaces ["-"], standard input. *)

val distinct : ?input:string -> t list -> (unit, string) result
(** [distinct ~input places] is [Ok ()] if no two of [places] are the {!same}, and none of them {!replaces}
    [input]. *)

val option : t -> string
(** [option place] is the option that asked for it, or [""]. *)

(** {1 All at once} *)

val write : t -> string -> (unit, string) result
(** [write place text] writes [text]. *)

val write_by : t -> (out_channel -> unit) -> (unit, string) result
(** [write_by place f] writes what [f] writes to the channel. A [Sys_error] of [f] is an [Error]; after any
    other exception, which goes on, nothing is changed. *)

(** {1 Bit by bit} *)

type writing
(** A place that is being written. *)

val start : t -> (writing, string) result
(** [start place] makes the temporary file, or opens the device or pipe (a pipe that nobody reads makes it
    wait). *)

val channel : writing -> out_channel
(** [channel w] is where to write, in binary. Writing to it raises [Sys_error]: then {!abandon} is due. *)

val commit : writing -> (unit, string) result
(** [commit w] says that the text is complete. If it cannot be completed, as {!abandon}. *)

val abandon : writing -> unit
(** [abandon w] removes the temporary file; the place is as it was. (What has gone to a device, a pipe or
    standard output stays there.) *)

val failed : writing -> string -> string
(** [failed w reason] is the line for the user where writing has failed otherwise. *)

val remove_unfinished : unit -> unit
(** Removes all temporary files that this process has made and neither committed nor abandoned: before it is
    ended by a signal. For the thread that makes them. *)
