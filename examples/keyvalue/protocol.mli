(** The protocol of clients and the server: one line per request, and one line per reply, in the same order. A
    client need not wait for a reply before it sends the next request.

    {v
    GET key          VALUE value, or NONE
    SET key value    DONE
    DELETE key       DONE, or NONE if there was no such key
    ADD key n        NUMBER n, the sum; a key that is not there counts as 0
    NEXT key         BINDING key value, of the least key above this one, or NONE
    COUNT            NUMBER n, how many keys there are
    QUIT             DONE, and the server closes the connection
    v}

    A key is 1 to 250 bytes without blanks and control characters. A value is the rest of the line: any bytes,
    none included. Numbers are OCaml's integers, and sums are taken modulo 2{^ 63}. A line ends with a line
    feed, perhaps after a carriage return, and has at most {!Lines.limit} bytes. The reply to anything else is
    [ERROR] and what is wrong; the connection goes on. *)

type request =
  | Get of string
  | Set of string * string
  | Delete of string
  | Add of string * int
  | Next of string
  | Count
  | Quit

type reply =
  | Value of string
  | Binding of string * string
  | Number of int
  | Done
  | None_there
  | Wrong of string  (** [ERROR] *)

val request_of_line : string -> (request, string) result
(** The request, or what is wrong with it. *)

val line_of_request : request -> string
(** With its line end. *)

val reply_of_line : string -> reply option
(** [None]: the line is no reply of this protocol. *)

val line_of_reply : reply -> string
(** With its line end. *)
