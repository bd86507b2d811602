(** The tree of a reduction ({!Reduce}), and walks through it.

    Walks fork where thieves have emptied the deque: the greatest right half still to come. When their fiber
    is suspended, they fork all of them ({!Weft_scheduler.Loops}). *)

type 'a t

val make :
  element:(int -> 'a) option ->
  fold:(int -> int -> 'a) ->
  leaf:int ->
  share:int ->
  alone:bool ->
  known:bool ->
  ('a -> 'a -> 'a) ->
  'a t
(** Of leaves of at most [leaf] elements. Ranges of [share] are not split before thieves want work; [alone]:
    in a pool of one worker. [known]: elements are taken for cheap until they are not. *)

val middle : int -> int -> int
(** The last index of the left half. *)

val whole : 'a t -> divided:bool -> int -> int -> 'a
(** The value of a range, of at most [max_int + 1] elements; [divided] at once, down to [share].
    @raise Weft_scheduler.Uncaught.Stopped if anything failed: see {!reraise}. *)

val combining : 'a t -> int -> 'a -> 'a -> 'a
(** [combining t at a b] combines; if that raises, it is the failure of the leaf [at]. *)

val reraise : 'a t -> 'b
(** What the smallest leaf that failed has raised. *)

(** {1 What has been learnt} *)

val is_dear : 'a t -> bool
(** A single element is worth a steal, or waits. *)

val cheap : 'a t -> int
(** So many elements take no longer than a block of a loop may; 0: not known. *)

val spread : (int -> 'a) -> ('a -> 'a -> 'a) -> 'a option -> int -> int -> 'a
(** [spread element combine before first last] computes the elements of a leaf in parallel, and then combines
    them from the left, after [before]. *)

(** {1 Walks that were begun elsewhere} *)

type 'a walk

val walk_from : 'a t -> outer:Loops.t -> first:int -> last:int -> at:int -> 'a walk
(** One that has come to [at]. *)

val enter : 'a walk -> Job.task Deque.t -> unit
val promote : 'a walk -> 'a Job.state -> unit

val right_half : 'a walk -> Job.task Deque.t -> int -> int -> 'a
(** The value of a right half still to come, whether others have it or not. *)

val failed : 'a walk -> exn -> 'b
(** Leaves the loop; no fork of the walk is left.
    @raise Weft_scheduler.Uncaught.Stopped or what ended the wait for the forks. *)

val tree : 'a walk -> 'a t
