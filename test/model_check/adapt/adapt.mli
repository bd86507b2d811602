(** The program that makes the copies of Weft's sources that are checked: see [Edits]. *)
