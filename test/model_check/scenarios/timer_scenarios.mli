(** [Timers]: a timer is called once or cancelled once. While one is pending, the alarm is due, or set to its
    time or an earlier one. *)

val all : Scenario.t list
