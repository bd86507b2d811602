(** The program [weft], run as a user would. *)

val run : ?environment:(string * string) list -> string list -> Testing.Child.ended
(** [run arguments] of [weft]. *)

val program : string -> string
(** The path of [subject.exe] and [plain.exe]. *)

val start : ?environment:(string * string) list -> ?program:string -> string list -> Testing.Child.t
(** Starts [weft], or [program]. *)

val in_folder : (string -> 'a) -> 'a
(** Calls the function with a new folder, which is removed. *)
