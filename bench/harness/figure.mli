(** Figures of one run beside its time: how many operations it made, what one took, how late things were. *)

type t = {
  title : string;
      (** with its unit, short enough for the head of a column: ["ns/message"], ["late p99 us"] *)
  value : float;
}

val operations : what:string -> seconds:float -> int -> t list
(** [operations ~what ~seconds n] are the figures of [n] operations made in [seconds]: their number, titled
    [what ^ "s"], and the time of one in nanoseconds, ["ns/" ^ what], if there is one. *)

val per_second : what:string -> seconds:float -> int -> t list
(** [per_second ~what ~seconds n] is the same with the number made in a second, [what ^ "s/s"], instead of the
    time of one. *)

val distribution : what:string -> float array -> t list
(** [distribution ~what seconds] are the median, the 99th percentile and the greatest of [seconds] in
    microseconds, titled [what ^ " median us"], [what ^ " p99 us"] and [what ^ " max us"], and their histogram
    in microseconds; nothing if there are none. [seconds] stays as it is. *)

val shares : what:string -> seconds:float -> int array -> t list
(** [shares ~what ~seconds counts], of parties that share something, are how often all of them together had it
    in a second, [what ^ "s/s"], and how many times as often the first as the last, ["max/min"] (never counts
    as once); nothing if there are none. *)

val quantile : float -> float array -> float
(** [quantile q xs] is the least of [xs] such that at least the share [q] of them (from 0 to 1) is no greater:
    the nearest rank.
    @raise Invalid_argument if [xs] is empty. *)

(** {1 Histograms}

    A bucket is a figure that counts what lies within bounds that its title tells, such as "wake \[20, 30)
    us". Empty buckets are left out. Tables do not show them. *)

type bucket = {
  what : string;
  from : float;  (** the least that is counted *)
  below : float;  (** what is counted is less than this *)
  unit_ : string;
}

val bucket : bucket -> int -> t
(** [bucket b n] is the figure that says that [n] lie in [b]. Neither [b.what] nor [b.unit_] has a bracket. *)

val bucket_of_title : string -> bucket option
(** [bucket_of_title title] is the bucket whose figure has that title, if it is that of a bucket. *)

val lower_is_better : string -> bool option
(** [lower_is_better title] tells it from the unit: a time ([ns/...], [... us]) and the ratio of {!shares} are
    better lower, a rate ([.../s]) higher; of others nothing is known. *)
