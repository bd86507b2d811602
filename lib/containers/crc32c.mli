(** CRC-32C, the checksum of iSCSI and ext4 (polynomial 0x1EDC6F41, reflected).

    Eight bytes at a time, with eight tables of 256 entries: slicing-by-8 (Kounavis and Berry,
    {e A systematic approach to building high performance software-based CRC generators}, ISCC 2005). It finds
    every error of one burst of up to 32 bits, and every odd number of flipped bits. *)

val string : string -> int
(** [string s] is the checksum of [s], from 0 to 2{^ 32} - 1. O(length). *)

val extend : int -> Bytes.t -> int -> int -> int
(** [extend crc b at length] is the checksum of what [crc] is the checksum of, followed by the [length] bytes
    of [b] from [at] on; [0] is the checksum of nothing. O(length).

    @raise Invalid_argument if these are not within [b]. *)
