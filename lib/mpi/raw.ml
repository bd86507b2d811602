exception Error of { call : string; code : int; text : string }

let () = Callback.register_exception "weft_mpi_failed" (Error { call = ""; code = 0; text = "" })

type ('a, 'k, 'l) array = ('a, 'k, 'l) Bigarray.Array1.t
type bytes_array = (char, Bigarray.int8_unsigned_elt, Bigarray.c_layout) Bigarray.Array1.t
type counts = (int32, Bigarray.int32_elt, Bigarray.c_layout) Bigarray.Array1.t
type cell = (int64, Bigarray.int64_elt, Bigarray.c_layout) Bigarray.Array1.t

external init : int -> int = "weft_mpi_init"
external finalize : unit -> unit = "weft_mpi_finalize"
external abort : int -> unit = "weft_mpi_abort"
external named_handler : string -> (exn -> bool -> unit) option = "weft_mpi_named_handler"
external error_text : int -> string = "weft_mpi_error_text"
external processor_name : unit -> string = "weft_mpi_processor_name"

type comm = int

let no_comm = 0

external world : unit -> comm = "weft_mpi_world"
external rank : comm -> int = "weft_mpi_rank"
external comm_size : comm -> int = "weft_mpi_comm_size"
external dup : comm -> comm = "weft_mpi_dup"
external split : comm -> int -> int -> comm = "weft_mpi_split"
external split_by_node : comm -> comm = "weft_mpi_split_by_node"
external comm_free : comm -> unit = "weft_mpi_comm_free"

type request = int

let no_request = 0

external idup : cell -> comm -> request = "weft_mpi_idup"
external comm_in : cell -> comm = "weft_mpi_comm_in"

let bytes = 0
let source = 1
let tag = 2
let error = 3
let status_words = 4

external test : request -> int Stdlib.Array.t -> int -> bool = "weft_mpi_test" [@@noalloc]
external poll : int Stdlib.Array.t -> int -> int Stdlib.Array.t -> int -> int = "weft_mpi_poll"

external isend : ('a, 'k, 'l) array -> int -> int -> int -> int -> comm -> request
  = "weft_mpi_isend_bytecode" "weft_mpi_isend"

external irecv : ('a, 'k, 'l) array -> int -> int -> int -> int -> comm -> request
  = "weft_mpi_irecv_bytecode" "weft_mpi_irecv"

type message = int

let no_message = 0

external get_truncated : unit -> int = "weft_mpi_truncated"

let truncated = get_truncated ()

external matching : int -> int -> comm -> int Stdlib.Array.t -> message = "weft_mpi_match" [@@noalloc]
external imrecv : ('a, 'k, 'l) array -> int -> message -> request = "weft_mpi_imrecv"
external set_max_count : int -> unit = "weft_mpi_set_max_count"

type op = Sum | Product | Min | Max | Bits_and | Bits_or | Bits_xor

external ibarrier : comm -> request = "weft_mpi_ibarrier"
external ibcast : ('a, 'k, 'l) array -> int -> int -> int -> comm -> request = "weft_mpi_ibcast"

external ireduce : ('a, 'k, 'l) array -> ('a, 'k, 'l) array -> op -> int -> comm -> request
  = "weft_mpi_ireduce"

external iallreduce : ('a, 'k, 'l) array -> ('a, 'k, 'l) array -> op -> comm -> request
  = "weft_mpi_iallreduce"

external iscan : ('a, 'k, 'l) array -> ('a, 'k, 'l) array -> op -> comm -> request = "weft_mpi_iscan"
external iexscan : ('a, 'k, 'l) array -> ('a, 'k, 'l) array -> op -> comm -> request = "weft_mpi_iexscan"
external igather : ('a, 'k, 'l) array -> ('a, 'k, 'l) array -> int -> comm -> request = "weft_mpi_igather"
external iscatter : ('a, 'k, 'l) array -> ('a, 'k, 'l) array -> int -> comm -> request = "weft_mpi_iscatter"
external iallgather : ('a, 'k, 'l) array -> ('a, 'k, 'l) array -> comm -> request = "weft_mpi_iallgather"
external ialltoall : ('a, 'k, 'l) array -> ('a, 'k, 'l) array -> int -> comm -> request = "weft_mpi_ialltoall"

external iallgatherv : ('a, 'k, 'l) array -> int -> ('a, 'k, 'l) array -> counts -> comm -> request
  = "weft_mpi_iallgatherv"

type window = int
type access = Add | Read | Exchange

external is_direct_on_a_node : unit -> bool = "weft_mpi_is_direct_on_a_node" [@@noalloc]
external win_make : int -> comm -> window = "weft_mpi_win_make"
external fetch : cell -> access -> int -> int -> window -> request = "weft_mpi_fetch"
external win_free : window -> unit = "weft_mpi_win_free"
external bytes_in : bytes -> int -> ('a, 'k, 'l) array -> int -> int -> unit = "weft_mpi_copy_in" [@@noalloc]

external floats_in : float Stdlib.Array.t -> int -> ('a, 'k, 'l) array -> int -> int -> unit
  = "weft_mpi_copy_in"
[@@noalloc]

external bytes_out : ('a, 'k, 'l) array -> int -> bytes -> int -> int -> unit = "weft_mpi_copy_out"
[@@noalloc]

external floats_out : ('a, 'k, 'l) array -> int -> float Stdlib.Array.t -> int -> int -> unit
  = "weft_mpi_copy_out"
[@@noalloc]

external marshal : 'a -> Marshal.extern_flags list -> bytes_array = "weft_mpi_marshal"
external unmarshal : bytes_array -> int -> int -> 'a = "weft_mpi_unmarshal"
