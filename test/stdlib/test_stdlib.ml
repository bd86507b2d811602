open Standard_names
open Testing
module Own = Testing_standard.Own
module Public_functions = Testing_public.Public_functions

(* --- the comparison finds what it should --- *)

let standard = [ ("map", "('a -> 'b) -> 'a t -> 'b t"); ("rev", "'a t -> 'a t"); ("hd", "'a t -> 'a") ]

let wrong ?(own = []) ?(sequential = []) ?(other = []) ?(missing = []) weft =
  snd (Comparison.compare ~standard ~weft ~own ~sequential ~other ~missing)

let faults what expected found = Alcotest.(check (list string)) what expected found
let without name = List.remove_assoc name standard

let what_is_wrong_is_found () =
  faults "all is the same" [] (wrong standard);
  faults "more of Weft's" [] (wrong (("scan", "unit") :: standard));
  faults "one is missing" [ "hd : 'a t -> 'a is missing, and nothing says why" ] (wrong (without "hd"));
  faults "with a reason" [] (wrong ~missing:[ ("no", [ "hd" ]) ] (without "hd"));
  faults "which no longer holds" [ "hd is not missing" ] (wrong ~missing:[ ("no", [ "hd" ]) ] standard);
  let other = ("hd", "?pos:int -> 'a t -> 'a") :: without "hd" in
  faults "another type"
    [ "hd has the type ?pos:int -> 'a t -> 'a, not 'a t -> 'a, and nothing says why" ]
    (wrong other);
  faults "with a reason" [] (wrong ~other:[ ("so", [ "hd" ]) ] other);
  faults "which no longer holds" [ "hd is not of another type" ] (wrong ~other:[ ("so", [ "hd" ]) ] standard);
  faults "no such function"
    [ "tl is not sequential"; "hd is not of the standard library" ]
    (List.rev (wrong ~own:[ "hd" ] ~sequential:[ "tl" ] ~missing:[ ("no", [ "hd" ]) ] (without "hd")))

(* Types as texts: what differs must differ there, too. *)
let types_are_told_apart () =
  let read path = Signature.read ~own:[ "t" ] ~shown:"t" path in
  let type_of path name = List.assoc name (read path) in
  let check name expected path = Alcotest.(check string) (path ^ "." ^ name) expected (type_of path name) in
  check "fold_left" "('a -> 'b -> 'a) -> 'a -> 'b t -> 'a" "Stdlib.Seq";
  check "unzip" "('a * 'b) t -> 'a t * 'b t" "Stdlib.Seq";
  check "partition_map" "('a -> ('b, 'c) Either.t) -> 'a t -> 'b t * 'c t" "Stdlib.Seq";
  check "partition_map" "('a -> ('b, 'c) Either.t) -> 'a t -> 'b t * 'c t" "Weft.Seq";
  check "to_dispenser" "'a t -> unit -> 'a option" "Stdlib.Seq";
  check "shuffle" "rand:(int -> int) -> 'a array -> unit" "Stdlib.Array";
  check "iter" "(float -> unit) -> floatarray -> unit" "Weft.Floatarray";
  check "iter_sub" "?pos:int -> ?len:int -> (float -> unit) -> floatarray -> unit" "Weft.Floatarray";
  check "lines" "string -> string t" "Weft.Seq";
  check "to_seq" "'a t -> 'a Seq.t" "Weft.Seq"

(* --- the library --- *)

let of_module (m : Modules.t) () = faults m.title [] m.wrong

let own_are_own () =
  let differ (own : Own.t) =
    List.filter_map (fun (name, same) -> if same then None else Some (own.path ^ "." ^ name)) own.functions
  in
  faults "not the standard library's closure" [] (List.concat_map differ Own.all)

(* In [M.(...)], a function of [M] hides the one of that name in [Stdlib]. It may where OCaml's module of that
   name does, too. *)
let what_is_hidden () =
  let names path = List.map fst (Public_functions.values path) in
  let stdlib = names "Stdlib" in
  let hides path beside =
    let own = names path and also = names beside in
    List.filter (fun name -> List.mem name stdlib && not (List.mem name also)) own
  in
  faults "Weft.Seq hides" [] (hides "Weft.Seq" "Stdlib.Seq");
  faults "Weft.List hides" [] (hides "Weft.List" "Stdlib.List");
  faults "Weft.Random hides" [] (List.filter (fun name -> List.mem name stdlib) (names "Weft.Random"));
  Alcotest.(check (float 0.))
    "in an expression" 3.
    Weft.Random.(
      ignore (uniform (make 1) 1.);
      float 3);
  Alcotest.(check int) "in an expression" 9 Weft.Seq.(fold ~combine:max max (min 3 0) (of_range 1 9))

let () =
  Alcotest.run "stdlib"
    [
      ( "comparison",
        [
          Watchdog.case "what is wrong is found" what_is_wrong_is_found;
          Watchdog.case "types are told apart" types_are_told_apart;
        ] );
      ( "modules",
        Watchdog.case "the standard library's own" own_are_own
        :: Watchdog.case "what is hidden in M.(...)" what_is_hidden
        :: List.map (fun (m : Modules.t) -> Watchdog.case m.title (of_module m)) (Modules.all ()) );
    ]
