(* The layout is that of struct deque in deque_memory_stubs.c. All fields are mutable so that the
   compiler reads them anew after every call; [ring] and [mask] are written by the C side alone, [top],
   [wake] and [id] never change. *)
[@@@warning "-69"]

type word = { mutable value : int }

(* Any record type: it makes the compiler read slots as pointers to blocks that are no floats. *)
type block = { mutable first : int }
type ring = block array

type 'a t = {
  mutable bottom : int;
  mutable limit : int;
  mutable ring : ring;
  mutable mask : int;
  mutable top : int Atomic.t;
  mutable wake : word;
  mutable id : int;
  mutable deferred : int;
  mutable context : block;
  mutable preempt : int;
  mutable loops : block;
  mutable forks : int;
}

(* The same words, for stores without caml_modify. *)
type ints = {
  mutable bottom_ : int;
  mutable limit_ : int;
  mutable ring_ : int;
  mutable mask_ : int;
  mutable top_ : int;
  mutable wake_ : int;
  mutable id_ : int;
  mutable deferred_ : int;
  mutable context_ : int;
  mutable call_ : int;
  mutable loops_ : int;
  mutable forks_ : int;
}

external make_word : unit -> word = "weft_word_make"
external free_word : word -> unit = "weft_word_free" [@@noalloc]
external make_stub : int -> int -> word -> 'a t = "weft_deque_make"
external free : 'a t -> unit = "weft_deque_free" [@@noalloc]
external adopt : 'a t -> unit = "weft_deque_adopt" [@@noalloc]
external abandon : 'a t -> unit = "weft_deque_abandon" [@@noalloc]
external make_room_stub : 'a t -> bool = "weft_deque_make_room" [@@noalloc]
external request_preempt : 'a t -> unit = "weft_deque_request_preempt" [@@noalloc]
external anonymous : 'a t -> unit t = "%identity"
external acknowledge : 'a t -> bool = "weft_deque_acknowledge" [@@noalloc]
external hold : 'a t -> unit = "weft_deque_hold" [@@noalloc]
external let_go : 'a t -> unit = "weft_deque_let_go" [@@noalloc]
external ask : 'a t -> by:'a t -> nil:'a -> 'a = "weft_deque_ask" [@@noalloc]

external wake_after_collections : 'a t -> Parker.t -> int -> unit = "weft_deque_wake_after_collections"
[@@noalloc]

external wake_after_collections_no_more : 'a t -> unit = "weft_deque_wake_after_collections_no_more"
[@@noalloc]

external collections_left : 'a t -> int = "weft_deque_collections_left" [@@noalloc]
external push_stub : 'a t -> 'a -> bool = "weft_deque_push" [@@noalloc]
external pop_if : 'a t -> 'a -> bool = "weft_deque_pop_if" [@@noalloc]
external pop : 'a t -> nil:'a -> 'a = "weft_deque_pop" [@@noalloc]
external take_top : 'a t -> nil:'a -> 'a = "weft_deque_take_top" [@@noalloc]
external element : 'a t -> int -> 'a = "weft_deque_element" [@@noalloc]
external backend : unit -> Sys.backend_type = "%backend_type"
external taken : 'a -> 'a = "weft_deque_taken" [@@noalloc]
external answer_thieves : unit -> unit = "weft_deque_answer_thieves" [@@noalloc]
external current : unit -> 'a t = "weft_current" [@@noalloc]
external set_current : 'a t -> unit = "weft_set_current" [@@noalloc]
external nowhere : unit -> 'a t = "weft_nowhere" [@@noalloc]

(* A block seen as an int, to store it without caml_modify: the ring is not in the heap. *)
external block_of : 'a -> block = "%identity"
external of_block : block -> 'a = "%identity"
external int_of : 'a -> int = "%identity"
external ints_of : ring -> int array = "%identity"
external words_of : 'a t -> ints = "%identity"

let[@inline] is_bytecode () = backend () == Sys.Bytecode
let make ~id ~capacity ~wake = make_stub id capacity wake
let[@inline] bottom d = Publication.read d
let[@inline] set_bottom d b = Publication.write d b
let[@inline] top d = Atomic.get d.top
let[@inline] cas_top d was now = Atomic.compare_and_set d.top was now
let[@inline] limit d = d.limit
let[@inline] wake d = d.wake.value
let[@inline] id d = d.id
let[@inline] deferred d = d.deferred
let[@inline] set_deferred d i = d.deferred <- i
let[@inline] context d = of_block d.context

(* All threads share [nowhere], and the collector does not look there. *)
let[@inline] set_context d x = if d.id >= 0 then (words_of d).context_ <- int_of x
let[@inline] loops d = of_block d.loops
let[@inline] set_loops d x = if d.id >= 0 then (words_of d).loops_ <- int_of x
let[@inline] forks d = d.forks
let[@inline] count_fork d = d.forks <- d.forks + 1

(* Slot [i] of a ring is field [i + 1]; field 0 is the mask. *)
let[@inline] set_slot d i x = Array.unsafe_set (ints_of d.ring) ((i land d.mask) + 1) (int_of x)
let[@inline] slot_is d i x = Array.unsafe_get d.ring ((i land d.mask) + 1) == block_of x

let[@inline] slot d i =
  if is_bytecode () then element d i else of_block (Array.unsafe_get d.ring ((i land d.mask) + 1))

let[@inline] stolen_slot d i =
  let ring = d.ring in
  of_block (Array.unsafe_get ring ((i land Array.unsafe_get (ints_of ring) 0) + 1))

let push d x = if not (push_stub d x) then raise Out_of_memory
let make_room d = if not (make_room_stub d) then raise Out_of_memory
