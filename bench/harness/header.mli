(** Where, with what and how the benchmarks ran. What the system does not tell is [None], null in JSON. *)

(** What the file is. *)
type kind =
  | Bench  (** what [weft bench] measured *)
  | Elastic  (** what [weft bench elastic] measured *)
  | Baseline  (** ratios to keep, made of the former *)

type machine = {
  model : string option;  (** of the processor *)
  processors : int option;  (** online *)
  affinity : int option;  (** those that the process may use *)
  quota : float option;  (** of processor time, in processors; [None] also where there is none *)
  kernel : string option;  (** its release *)
  hypervisor : bool option;  (** whether this is a virtual machine *)
}

type compiler = {
  version : string;  (** OCaml's *)
  flambda : bool;
  architecture : string;
  profile : string;  (** dune's: ["release"], ["dev"] *)
  flags : string;  (** beyond those of the profile *)
}

type t = {
  kind : kind;
  weft : string;  (** the version of Weft *)
  date : string;  (** when the run began, UTC, ISO 8601: ["2026-01-31T23:59:59Z"] *)
  command : string list;  (** the command line: the program without its folder, and its arguments *)
  runs : int;  (** measured rounds *)
  runs_asked : int;  (** those that were to be measured *)
  interrupted : bool;  (** whether the run was ended before all were *)
  failed : string option;
      (** what ended it, if that was a wrong result or an exception of one of Weft's own programs: one line *)
  warm_up : bool;  (** whether one round before them only warmed up *)
  machine : machine;
  compiler : compiler;
  minor_heap_words : int;  (** outside pools *)
  environment : (string * string option) list;  (** the variables that matter; [None]: not set *)
  default_domains : int;  (** what the default pool has *)
  fence : string;  (** who issues the memory barriers: ["thief"] or ["owner"] *)
  stolen_share : float option;  (** of the processors' time, taken by the hypervisor meanwhile: 0 to 1 *)
  load_before : float option;  (** load average of one minute *)
  load_after : float option;
  missing : (string * string) list;
      (** contestants that would have taken part and were not there: names and reasons *)
  versions : (string * string) list;
      (** of the libraries and compilers of the contestants that took part and are not Weft's: names and texts
      *)
}

type start
(** The state of the machine when the run began. *)

val start : unit -> start
(** [start ()] is that state now. *)

val finish :
  ?kind:kind ->
  ?warm_up:bool ->
  ?interrupted_after:int ->
  ?failed:string ->
  ?missing:Contestant.missing list ->
  ?versions:(string * string) list ->
  start ->
  runs:int ->
  t
(** [finish start ~runs] is the header for [runs] measured rounds that began at [start] and end now, after one
    to warm up, unless [warm_up] is false. [interrupted_after]: after so many of them the run was ended.
    [failed] is what ended it. [kind] is {!Bench} unless given; [missing] and [versions] are none. *)

val schema : int
(** The version of the form of results files, 2: it grows when a key goes away or changes its meaning, not
    when one is added. Files of version 1 did not tell the role of a row. *)

val kind_name : kind -> string
(** [kind_name kind] is what the key [kind] says: ["bench"], ["elastic"], ["baseline"]. *)

val to_json : t -> Yojson.Safe.t
(** [to_json t] is the object [header] of the JSON file: {!schema}, and the fields of [t] by their names;
    those that are missing are objects with [name] and [reason]. *)

val summary : t -> string
(** [summary t] is a few lines for below the table: machine, compiler, rounds, stolen time, and the variables
    of {!t.environment} that are set. *)
