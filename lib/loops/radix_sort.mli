(** Stable radix sort of integers in parallel.

    From the lowest digit to the highest (least significant digit first: Knuth, The Art of Computer
    Programming 3, 5.2.5). In each pass the array is divided into pieces. Each piece counts its digits; the
    counts are added up by digit and then by piece, so that every piece knows where its elements go; then it
    moves them there (Zagha and Blelloch, Radix sort for vector multiprocessors, 1991). A pass in which all
    elements have the same digit moves nothing. Short arrays are merge sorted. *)

val sort : who:string -> low:int -> bits:int -> int array -> int array
(** [sort ~who ~low ~bits a] is [a], or an array of the same length, with the elements of [a] in the order of
    the number that the [bits] bits from bit [low] on make; equal ones keep their order. What [a] holds
    afterwards is anything. Both arrays may be of {!Weft_platform.Array_repr.make_immediates}.
    [low + bits <= Sys.int_size], [bits >= 0]. Only inside a pool. *)

val width : int -> int
(** [width n] is the number of bits of [n], taken as without a sign. *)
