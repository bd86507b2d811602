(** The state of a pool, and the table of all pools. {!External_slot}, {!Pools} and {!module-Shutdown} change
    it. *)

exception Closed of string
(** See [Weft.Pool.Closed]. *)

include module type of struct
  include Pool_types
end

val has_domains : t -> bool
(** Whether it has domains of its own, retired or not. *)

val misuse : string -> ('a, unit, string, 'b) format4 -> 'a
(** [misuse who "..."] raises [Invalid_argument "who: ..."]. *)

val all_workers : t -> Worker.t array
(** The pool's workers, then the extra ones in the order in which their slots were made. *)

val unpark_all : t -> unit
(** Makes every worker, and each fallback worker that rests, look once. *)

val stats : t -> Worker_stats.t array
(** The work of extra workers counts as the slot's. *)

val add_stats : Worker_stats.t -> Worker_stats.t -> Worker_stats.t

(** {1 All pools, by name} *)

val default_name : string
(** ["default"]. *)

val reserve : string -> string option -> string
(** [reserve who name] reserves [name], or the next unused number.
    @raise Invalid_argument
      in the name of [who] if it is taken, except by a default pool that is being closed. *)

val publish : t -> unit
(** The pool is complete: {!find} finds it. *)

val unregister : t -> unit
val find : string -> t option

val others : t -> t list
(** All complete pools but this one. *)

val all : unit -> t list
(** All complete pools, by name. *)

val current : unit -> t option
(** The pool that the calling thread works for. *)
