(** Pictures in files: PNG (RFC 2083), true colour, not compressed, so that no library is needed. *)

type t = private {
  width : int;
  height : int;
  pixels : Bytes.t;  (** three bytes for each pixel: red, green, blue; row by row *)
}

val create : width:int -> height:int -> t
(** A black picture. Width and height must be at least 1. *)

val set : t -> x:int -> y:int -> red:int -> green:int -> blue:int -> unit
(** [x] counts from the left, [y] from the top; colours are 0 to 255. Different pixels may be set at the same
    time. *)

val checksum : t -> int
(** The CRC-32 of the pixels. *)

val to_string : t -> string
(** The bytes of the file. *)

val write : string -> t -> unit
(** [write path picture] makes the file, or replaces it once the picture is complete.
    @raise Sys_error if it cannot be written. *)
