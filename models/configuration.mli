(** What is checked: every model with its knobs, and what must come out. *)

type expectation =
  | Holds of { states : int }
      (** No assertion may be violated, in at least so many states: fewer would mean that a change has cut the
          exploration short. *)
  | Fails  (** A mutant: an assertion must be violated. *)

type t = {
  model : string;  (** name of the file, without [.pml] *)
  knobs : string list;  (** preprocessor definitions, [NAME] or [NAME=value] *)
  expectation : expectation;
  long : bool;  (** takes more than a few seconds: left out unless asked for *)
}

val all : t list
(** In the order of checking: of every part of a model, first what holds, then the mutants. *)

val name : t -> string
(** [name c] is the model and its knobs, as messages call it. *)

val unknown_knobs : t -> source:string -> string list
(** [unknown_knobs c ~source] are the knobs of [c] whose name does not occur in [source], the text of its
    model. A misspelt knob would silently check something else. *)
