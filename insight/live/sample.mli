(** What the view shows: what the workers of a program did between two samples. *)

type worker = {
  name : string;
  running : float;
      (** the share of the time, as in the next three; for the rest of the time the worker had no domain *)
  collecting : float;
  searching : float;
  parked : float;
}

type t = {
  seconds : float;  (** seconds since the program was started *)
  span : float;  (** seconds that this sample covers *)
  workers : worker list;
  forks : float option;
      (** per second, as are the others; [None] if no worker has told since the last sample *)
  jobs : float;
  steals : float;
  parks : float;
  wakes : float;
  suspensions : float;
  minor : float;  (** minor collections, per second *)
  promoted : float;  (** words promoted to the major heap, per second *)
  heap : float;  (** words of the major heap, now *)
  waiting : Waits.place list;  (** what is waited for now, the longest first *)
  lost : int;  (** the total number of words of the rings that were not read in time *)
}
