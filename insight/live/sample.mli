(** What the view shows: what the workers of a program did between two looks. *)

type worker = {
  name : string;
  running : float;  (** shares of the time, as those that follow; what is missing to 1: it had no domain *)
  collecting : float;
  searching : float;
  parked : float;
}

type t = {
  seconds : float;  (** since the program was started *)
  span : float;  (** how many of them this is about *)
  workers : worker list;
  forks : float option;  (** per second, as the others; workers tell it now and then only *)
  jobs : float;
  steals : float;
  parks : float;
  wakes : float;
  suspensions : float;
  minor : float;  (** minor collections *)
  promoted : float;  (** words *)
  heap : float;  (** words of the major heap, now *)
  lost : int;  (** words of the rings that nobody read in time, in all *)
}
