(** The limits of the control groups that this process is in: of processors, see [Machine.cpu_quota], of
    memory and of threads. *)

type quota = { processors : float; file : string }
(** See [Machine.quota]. *)

type view
(** Where the files with the quotas are, and what they said at the last look. Immutable. *)

val nothing : root:string -> view
(** Nothing is known yet. [root] is the directory below which the files are looked for. *)

val look : view -> view
(** [look view] is what the files say now. It reads the table of the process's groups, and one file for each
    group and ancestor that can be seen (two where version 1 sets a limit): some 10 us, and 3 to 10 us for
    each. It also looks for files that were missing the last time: a quota may be set on a group that had
    none.

    The files are looked up once, and again when the process is in other groups or when a file has vanished.

    What cannot be read now is as it was in [view]: everything if a table cannot be read, the limit of one
    file if that cannot be read or makes no sense. *)

val quota : view -> quota option
(** The smallest quota, and the nearest to the process of equal ones. *)

type limits = { memory : int option; threads : int option }
(** See [Machine.limits]. *)

val limits : root:string -> limits
(** The smallest limit of each among the groups that the process is in and their ancestors that can be seen.
    Reads the tables anew, and two files for each group. *)
