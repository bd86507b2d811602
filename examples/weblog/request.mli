(** Lines of a web server's log. *)

type t = {
  path : string;  (** without the part from [?] on; if the request has no path, all of it, as ["-"] *)
  status : int;  (** 100 to 599 *)
  bytes : int;  (** size of the answer, without its header; 0 if the log has ["-"] *)
}

val parse : string -> first:int -> last:int -> t option
(** [parse text ~first ~last] reads the line that begins at [first] and ends before [last], in the combined
    log format of Apache and nginx:

    {v
192.0.2.7 - anna [22/Nov/2024:10:15:32 +0100] "GET /a?b=c HTTP/1.1" 200 5120 "https://example.org/" "Mozilla/5.0"
    v}

    The last two fields may be missing (the common log format), and others may follow them. [None] if the line
    has another form. *)
