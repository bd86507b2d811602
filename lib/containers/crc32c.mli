(** CRC-32C, the checksum of iSCSI and ext4 (polynomial 0x1EDC6F41, reflected).

    It takes eight bytes at a time, with eight tables of 256 entries: slicing-by-8 (Kounavis and Berry,
    {e A systematic approach to building high performance software-based CRC generators}, ISCC 2005). It
    detects every error of one burst of up to 32 bits, and every odd number of flipped bits. *)

val string : string -> int
(** [string s] is the checksum of [s], from 0 to 2{^ 32} - 1. O(length). *)

val extend : int -> Bytes.t -> int -> int -> int
(** [extend crc b at length] is the checksum of a text whose checksum is [crc], followed by the [length] bytes
    of [b] from [at] on; the checksum of the empty text is [0]. O(length).

    @raise Invalid_argument if these bytes are not within [b]. *)
