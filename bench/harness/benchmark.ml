type params = { size : int; cutoff : int option; domains : int }
type wrong = { expected : string; got : string }

type work =
  | Work : {
      prepare : unit -> 'input;
      compute : 'input -> 'result;
      check : 'result -> (unit, wrong) result;
      forks : int option;
    }
      -> work

type way = { contestant : Contestant.t; work : params -> work option }

type t = {
  name : string;
  doc : string;
  size_doc : string;
  cutoff_doc : string;
  sizes : int * int;
  default_cutoffs : int option list;
  default_size : int option -> int;
  ways : way list;
}

let int_check ~expected n =
  if n = expected then Ok () else Error { expected = string_of_int expected; got = string_of_int n }
