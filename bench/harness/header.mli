(** Where, with what and how the benchmarks ran. What the system does not tell is [None], and null in JSON. *)

(** What a file of results contains. *)
type kind =
  | Bench  (** what [weft bench] measured *)
  | Elastic  (** what [weft bench elastic] measured *)
  | Baseline  (** ratios to store, computed from results of [weft bench] *)

type machine = {
  model : string option;  (** the model of the processor *)
  processors : int option;  (** how many are online *)
  affinity : int option;  (** how many the process may use *)
  quota : float option;  (** the limit of processor time, in processors; [None] if there is none, too *)
  kernel : string option;  (** the release of the kernel *)
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
  runs_asked : int;  (** how many rounds were to be measured *)
  interrupted : bool;  (** whether the run was ended before all rounds were measured *)
  failed : string option;
      (** what ended the run, if that was a wrong result or an exception of one of Weft's own programs: one
          line *)
  warm_up : bool;  (** whether a round before the measured ones only warmed up *)
  machine : machine;
  compiler : compiler;
  minor_heap_words : int;  (** outside pools *)
  environment : (string * string option) list;  (** the variables that matter; [None]: not set *)
  default_domains : int;  (** how many domains the default pool has *)
  fence : string;  (** which side issues the memory barriers: ["thief"] or ["owner"] *)
  stolen_share : float option;
      (** the share of the processors' time that the hypervisor took meanwhile: 0 to 1 *)
  load_before : float option;  (** load average of one minute *)
  load_after : float option;
  missing : (string * string) list;
      (** contestants that would have taken part and are missing: names and reasons *)
  versions : (string * string) list;
      (** the versions of the libraries and compilers of the contestants that took part and are not Weft's:
          names and texts *)
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
    to warm up unless [warm_up] is false. If the run was ended, [interrupted_after] is after how many rounds,
    and [failed] what ended it. By default [kind] is {!Bench}, and [missing] and [versions] are empty. *)

val schema : int
(** The version of the format of results files, 2. It grows when a key goes away or changes its meaning, not
    when one is added. Files of version 1 did not tell the role of a row. *)

val kind_name : kind -> string
(** [kind_name kind] is the value of the key [kind]: ["bench"], ["elastic"], ["baseline"]. *)

val to_json : t -> Yojson.Safe.t
(** [to_json t] is the object [header] of the JSON file: {!schema}, and the fields of [t] by their names; a
    missing contestant is an object with [name] and [reason]. *)

val summary : t -> string
(** [summary t] is a few lines to print below the table: machine, compiler, rounds, stolen time, and the
    variables of {!t.environment} that are set. *)
