(** Channels: each message that was sent is received once, or is in the channel; a fiber that gives up has
    sent or received nothing, and keeps nobody else waiting. *)

val all : Scenario.t list
