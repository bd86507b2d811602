(** The program [weft], run as a user would. *)

type ended = { code : int;  (** 128 and more: killed by a signal *) out : string; err : string }

val run : ?environment:(string * string) list -> string list -> ended
(** [run arguments] of [weft], under a time limit. *)

val program : string -> string
(** The path of [subject.exe] and [plain.exe]. *)

type running

val start : ?environment:(string * string) list -> ?program:string -> string list -> running
(** Likewise, of [weft] or of [program]; it is killed when the test ends. *)

val wait_for_output : running -> string -> unit
(** Until it has written that to standard output. *)

val pid : running -> int
val signal : running -> int -> unit
val finish : running -> ended

val in_folder : (string -> unit) -> unit
(** With a new folder, which is removed. *)
