(** Local modules, as the compiler's syntax tree has them. *)

open Parsetree

val of_expression : expression -> (string option * module_expr * expression) option
(** The name, the module and the body of [let module M = ... in ...] before OCaml 5.5. From then on there is a
    module binding in the expression, which an [Ast_iterator] meets as it meets one of a structure. *)
