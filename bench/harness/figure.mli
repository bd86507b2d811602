(** Figures of one run beside its time: how many operations it made, what one took, how late things were. *)

type t = {
  title : string;
      (** the title with its unit, short enough for the head of a column: ["ns/message"], ["late p99 us"] *)
  value : float;
}

val operations : what:string -> seconds:float -> int -> t list
(** [operations ~what ~seconds n] are the figures of [n] operations made in [seconds]: their number, titled
    [what ^ "s"], and, if there are any, the time of one in nanoseconds, ["ns/" ^ what]. *)

val per_second : what:string -> seconds:float -> int -> t list
(** [per_second ~what ~seconds n] is the same, with the number of operations in a second, [what ^ "s/s"],
    instead of the time of one. *)

val distribution : ?tail:bool -> what:string -> float array -> t list
(** [distribution ~what seconds] are the median, the 99th percentile and the greatest of [seconds] in
    microseconds, titled [what ^ " median us"], [what ^ " p99 us"] and [what ^ " max us"], and their histogram
    in microseconds; it is empty if [seconds] is. [seconds] is not changed. With [tail] (default: false) the
    99.9th percentile, [what ^ " p99.9 us"], is there too. *)

val shares : what:string -> seconds:float -> int array -> t list
(** [shares ~what ~seconds counts] are the figures of parties that share something; [counts] tells how often
    each had it. They are how often all of them together had it in a second, [what ^ "s/s"], and the greatest
    count divided by the least, ["max/min"] (a count of 0 is taken as 1); none if there are no parties. *)

val quantile : float -> float array -> float
(** [quantile q xs] is the nearest rank: the least of [xs] such that at least the share [q] (from 0 to 1) of
    [xs] is no greater.
    @raise Invalid_argument if [xs] is empty. *)

(** {1 Histograms}

    A bucket is a figure that counts the values within bounds. Its title tells the bounds, such as "wake \[20,
    30) us". Empty buckets are left out. Tables do not show buckets. *)

type bucket = {
  what : string;
  from : float;  (** the least value that is counted *)
  below : float;  (** all values that are counted are less than this *)
  unit_ : string;
}

val bucket : bucket -> int -> t
(** [bucket b n] is the figure that says that [n] values are in [b]. Neither [b.what] nor [b.unit_] may
    contain a bracket. *)

val bucket_of_title : string -> bucket option
(** [bucket_of_title title] is the bucket whose figure has this title; [None] if it is not the title of a
    bucket, or its bounds are not from 0 to 10^30. *)

val lower_is_better : string -> bool option
(** [lower_is_better title] is found from the unit: a time ([ns/...], [... us]) and the ratio of {!shares} are
    better if lower, a rate ([.../s]) if higher; [None] for all others. *)
