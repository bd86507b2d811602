(** What [weft doctor] finds out about the machine, the process and the build. *)

type program = { file : string; weft : Program_build.t option  (** [None]: no Weft was found in it *) }

type t = {
  program : program option;  (** that was asked about *)
  weft_version : string;
  build_profile : string;  (** the dune profile, such as ["release"] *)
  ocaml_version : string;
  native : bool;  (** compiled to native code, not to bytecode *)
  flambda : bool;
  architecture : string;  (** as the compiler names it, such as ["amd64"] *)
  kernel_release : string option;
  processor_model : string option;
  virtual_machine : bool option;
  processors_online : int option;
  processors_allowed : int option;  (** as allowed by the affinity mask *)
  quota : Weft_platform.Machine.quota option;
  processors_now : Weft_platform.Machine.processors;  (** as allowed by affinity and quota at this moment *)
  weft_processors : string option;  (** the environment variable [WEFT_PROCESSORS] *)
  processors_asked : (int option, string) result;  (** what it asks for, or what is wrong with it *)
  recommended_domains : int;  (** [Domain.recommended_domain_count ()] *)
  default_domains : int;  (** the number of domains of a pool by default *)
  default_limit : Weft_platform.Machine.limit;  (** what sets that number *)
  weft_domains : string option;  (** the environment variable [WEFT_DOMAINS] *)
  domains_asked : (int option, string) result;  (** what it asks for, or what is wrong with it *)
  membarrier : Weft_platform.Membarrier.membarrier;
  fence : Weft_platform.Membarrier.mode;
  fence_why : string;
  weft_fence : string option;  (** the environment variable [WEFT_FENCE] *)
  minor_heap_words : int;  (** of each domain of this process *)
  minor_heap_set_by : string option;  (** how the user has set it; [None] if it is OCaml's default *)
  runtime_parameters : string option;  (** [OCAMLRUNPARAM], else [CAMLRUNPARAM], as the runtime takes them *)
  domain_limit : int;  (** the greatest number of domains that the runtime allows *)
  load : Weft_platform.Machine.load option;
  steal_percent : float option;  (** processors' time stolen by the hypervisor during the sample *)
  sample_seconds : float;  (** how long the sample took *)
}
(** The facts. [None] means unknown, not set, or no limit. Strings from outside are made valid UTF-8 without
    control characters: other bytes are shown as escape sequences. *)

val gather : ?program:program -> sample_seconds:float -> unit -> t
(** [gather ~sample_seconds ()] collects the facts. It sleeps for [sample_seconds] between two readings of the
    stolen time. *)

val domains : t -> int
(** How many domains the default pool of a program started like this one would ask for. *)

val at_once : t -> int
(** How many workers of a pool may be at work at once, not counting other programs: what [WEFT_PROCESSORS]
    asks for; else, if [WEFT_DOMAINS] is set, {!processors} (quotas do not count then); else what the process
    may use now. *)

val processors : t -> int
(** How many processors the process may use by affinity alone, as far as that is known. *)

val minor_heap_bytes : t -> int
(** [minor_heap_words] in bytes. *)

val pool_minor_heap_words : t -> int
(** The minor heap of each domain of the default pool. *)

val bytes : int -> int
(** That many words in bytes. *)

val domain_limit_of : ocaml_version:string -> string option -> int
(** [domain_limit_of ~ocaml_version parameters] is the number of domains that a runtime of that version allows
    when [OCAMLRUNPARAM] is [parameters]: what its last [d=] says (since OCaml 5.3), else 128 (16 on 32-bit
    machines). *)

val at_least : int * int -> string -> bool
(** [at_least (major, minor) version] tells whether [version], such as ["5.3.0+trunk"], is that version or
    later. *)
