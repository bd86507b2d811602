(** Channels: each message that was sent is received once, or lies in the channel; who gives up has sent or
    received nothing, and keeps nobody else waiting. *)

val all : Scenario.t list
