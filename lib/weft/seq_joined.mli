(** Sequences ({!Parallel_seq}) one after the other. *)

val append : who:string -> 'a Source.t -> 'a Source.t -> 'a Source.t
(** O(1). *)

val flatten : who:string -> 'a Source.t Source.t -> 'a Source.t
(** Each use collects the inner sequences in an array first. *)
