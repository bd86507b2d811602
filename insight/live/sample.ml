type worker = { name : string; running : float; collecting : float; searching : float; parked : float }

type t = {
  seconds : float;
  span : float;
  workers : worker list;
  forks : float option;
  jobs : float;
  steals : float;
  parks : float;
  wakes : float;
  suspensions : float;
  minor : float;
  promoted : float;
  heap : float;
  waiting : Waits.place list;
  lost : int;
}
