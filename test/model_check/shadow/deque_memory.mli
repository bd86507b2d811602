(** The words of a work-stealing deque, as cells. Growth follows [deque_memory_stubs.c], in OCaml. *)

type 'a t
type word

val make_word : unit -> word
val word : word -> int
val set_word : word -> int -> unit

val initial_capacity : int ref
(** The capacity that the adapted [Deque.create] asks for; a power of two. *)

val make : id:int -> capacity:int -> wake:word -> 'a t

val capacity : 'a t -> int
(** The number of slots in force. *)

val is_unused : 'a -> bool
(** Whether the element came from a slot that never held one. *)

val whole : 'a t -> 'a Whole_deque.t
(** The deque itself in runs that {!Whole_deque.use} whole deques. *)

val free : 'a t -> unit
val adopt : 'a t -> unit
val abandon : 'a t -> unit
val bottom : 'a t -> int
val set_bottom : 'a t -> int -> unit
val top : 'a t -> int
val cas_top : 'a t -> int -> int -> bool
val limit : 'a t -> int
val set_slot : 'a t -> int -> 'a -> unit
val slot_is : 'a t -> int -> 'a -> bool
val slot : 'a t -> int -> 'a
val stolen_slot : 'a t -> int -> 'a
val taken : 'a -> 'a
val is_bytecode : unit -> bool
val push : 'a t -> 'a -> unit
val pop_if : 'a t -> 'a -> bool
val pop : 'a t -> nil:'a -> 'a
val take_top : 'a t -> nil:'a -> 'a
val make_room : 'a t -> unit
val ask : 'a t -> by:'a t -> nil:'a -> 'a
val answer_thieves : unit -> unit
val wake_after_collections : 'a t -> 'b -> int -> unit
val wake_after_collections_no_more : 'a t -> unit
val collections_left : 'a t -> int
val request_preempt : 'a t -> unit
val anonymous : 'a t -> unit t
val acknowledge : 'a t -> bool
val context : 'a t -> 'b
val set_context : 'a t -> 'b -> unit
val loops : 'a t -> 'b
val set_loops : 'a t -> 'b -> unit
val wake : 'a t -> int
val id : 'a t -> int
val forks : 'a t -> int
val count_fork : 'a t -> unit
val deferred : 'a t -> int
val set_deferred : 'a t -> int -> unit
val current : unit -> 'a t
val set_current : 'a t -> unit
val nowhere : unit -> 'a t
