(** [par]: whatever the thieves do, each side runs once and the fiber goes on once, with both results. *)

val all : Scenario.t list

(** {1 For other scenarios of fork-join} *)

val scenario :
  ?long:bool ->
  ?undisturbed:bool ->
  string ->
  outcomes:string list ->
  workers:int ->
  (Crew.t -> Notes.t -> unit -> string) ->
  Scenario.t

val fiber : Crew.t -> Notes.t -> (unit -> 'a) -> ('a, exn) result -> unit
(** Runs the function as a fiber of worker 0, which then runs what is left in its deque. Notes where the fiber
    ended, and checks that it ended with this result. *)

val thieves : Crew.t -> string list -> unit
(** Each steals once, and runs what it has got. *)

val places : Notes.t -> string list -> string
val if_at_all : Notes.t -> string -> string
