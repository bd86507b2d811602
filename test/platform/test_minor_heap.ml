(* Each case runs in a new domain: what Weft knows of a domain's minor heap lasts as long as the domain. *)

module Minor_heap = Weft_platform.Minor_heap

let size () = (Gc.get ()).minor_heap_size
let set words = Gc.set { (Gc.get ()) with minor_heap_size = words }

let case name promise =
  Testing.Watchdog.case name (fun () ->
      (* The size is chosen in the environment. *)
      if size () <> Minor_heap.initial then Alcotest.skip ();
      Domain.join (Domain.spawn promise))

(* OCaml rounds up to whole pages: these sizes are whole pages. *)
let k = 1024
let chosen ?asked domains = Minor_heap.choice ?asked ~domains ()
let words ?asked domains = Option.map Minor_heap.words (chosen ?asked domains)
let get = Option.get
let for_two = Minor_heap.words_for ~domains:2 ()
let check_words what expected got = Alcotest.(check (option int)) what expected got
let check_size what expected = Alcotest.(check int) what expected (size ())
let check_user what expected = Alcotest.(check (option string)) what expected (Minor_heap.set_by_user ())

let larger_with_domains () =
  check_words "one" None (words 1);
  let check_for what expected domains =
    Trees.with_tree [] (fun ~root ->
        Alcotest.(check int) what expected (Minor_heap.words_for ~root ~domains ()))
  in
  check_for "two" (1024 * k) 2;
  List.iter (check_for "more" (2048 * k)) [ 3; 8; 128 ];
  List.iter
    (fun domains -> check_words "chosen" (Some (Minor_heap.words_for ~domains ())) (words domains))
    [ 2; 8 ];
  check_words "asked" (Some (300 * k)) (words ~asked:(300 * k) 8)

(* All minor heaps together take an eighth of the memory limit, but each has at least OCaml's size. *)
let within_the_limit () =
  let mb = 1024 * 1024 in
  let check what expected ~limit domains =
    Trees.with_tree
      (Trees.memory (Printf.sprintf "%d\n" limit))
      (fun ~root -> Alcotest.(check int) what expected (Minor_heap.words_for ~root ~domains ()))
  in
  check "room enough" (2048 * k) ~limit:(8 * 8 * 16 * mb) 8;
  check "half of that" (1024 * k) ~limit:(8 * 8 * 8 * mb) 8;
  check "whole pages" ((1024 * k) - 512) ~limit:((8 * 8 * 8 * mb) - 1) 8;
  check "little" Minor_heap.initial ~limit:(64 * mb) 8;
  check "nothing" Minor_heap.initial ~limit:1 2;
  check "one domain" Minor_heap.initial ~limit:(1024 * mb) 1

let the_user's () =
  check_user "OCaml's" None;
  set (500 * k);
  check_user "the user's" (Some "Gc.set");
  List.iter (fun domains -> check_words "for all" (Some (500 * k)) (words domains)) [ 1; 2; 8 ];
  check_words "unless asked" (Some (300 * k)) (words ~asked:(300 * k) 8);
  set Minor_heap.initial;
  check_words "OCaml's again" None (words 1)

let in_the_environment () =
  let check what expected environment =
    let found = Minor_heap.set_in (fun variable -> List.assoc_opt variable environment) in
    Alcotest.(check (option string)) what expected found
  in
  let ocaml parameters = ("OCAMLRUNPARAM", parameters) and caml parameters = ("CAMLRUNPARAM", parameters) in
  check "nothing" None [];
  check "the first" (Some "OCAMLRUNPARAM") [ ocaml "b,s=1M" ];
  check "the second" (Some "CAMLRUNPARAM") [ caml "s=1M,b" ];
  check "both" (Some "OCAMLRUNPARAM") [ ocaml "s=1M"; caml "s=2M" ];
  check "the second is not read" None [ ocaml "b"; caml "s=1M" ];
  check "nor beside an empty one" None [ ocaml ""; caml "s=1M" ];
  check "other parameters" None [ ocaml "b,v=0x400,M=7" ]

let ours_is_not_the_user's () =
  Minor_heap.use (get (chosen 2));
  check_size "used" for_two;
  check_user "used" None;
  check_words "a pool made there" (Some (Minor_heap.words_for ~domains:8 ())) (words 8);
  set (500 * k);
  check_user "set since" (Some "Gc.set");
  check_words "set since" (Some (500 * k)) (words 8)

let asked_is_not_the_user's () =
  Minor_heap.use (get (chosen ~asked:(300 * k) 2));
  check_size "used" (300 * k);
  check_words "a pool made there" (Some for_two) (words 2)

(* A pool was made in a domain where the user had chosen a size: its domains know that. *)
let the_user's_is_known_in_domains_of_pools () =
  set (500 * k);
  let choices = [ get (chosen 2); get (chosen ~asked:(300 * k) 2) ] in
  let in_a_new_domain choice =
    Domain.join @@ Domain.spawn
    @@ fun () ->
    Minor_heap.expect choice;
    check_size "expected" Minor_heap.initial;
    check_words "a pool made before" (Some (500 * k)) (words 8);
    Minor_heap.use choice;
    check_size "used" (Minor_heap.words choice);
    check_user "after" (Some "Gc.set");
    check_words "a pool made after" (Some (500 * k)) (words 8)
  in
  List.iter in_a_new_domain choices

let holds () =
  set (500 * k);
  let a = Minor_heap.hold (get (chosen ~asked:(700 * k) 2)) in
  check_size "held" (700 * k);
  check_words "a pool made meanwhile" (Some (500 * k)) (words 2);
  let b = Minor_heap.hold (get (chosen ~asked:(600 * k) 2)) in
  check_size "the larger one" (700 * k);
  Minor_heap.release a;
  check_size "the other" (600 * k);
  Minor_heap.release b;
  check_size "none" (500 * k);
  let c = Minor_heap.hold (get (chosen ~asked:(700 * k) 2)) in
  set (800 * k);
  Minor_heap.release c;
  check_size "set meanwhile" (800 * k);
  check_words "and chosen" (Some (800 * k)) (words 2)

(* The task of a respawned worker makes a pool before the worker has its size. *)
let holds_and_use () =
  let choice = get (chosen 2) in
  Minor_heap.expect choice;
  let a = Minor_heap.hold (get (chosen ~asked:(2000 * k) 2)) in
  Minor_heap.use choice;
  check_size "still held" (2000 * k);
  Minor_heap.release a;
  check_size "its own" for_two;
  let b = Minor_heap.hold (get (chosen ~asked:(2000 * k) 2)) in
  check_size "held again" (2000 * k);
  Minor_heap.release b;
  check_size "its own again" for_two;
  check_user "never the user's" None

let elsewhere () =
  let a = Minor_heap.hold (get (chosen 2)) in
  Domain.join (Domain.spawn (fun () -> Minor_heap.release a));
  check_size "not released by another domain" for_two

let () =
  Alcotest.run "minor heap"
    [
      ( "minor heap",
        [
          case "the minor heap grows with the number of domains, unless asked" larger_with_domains;
          case "the minor heap is within a limit of memory" within_the_limit;
          case "what Gc.set has chosen is for all domains" the_user's;
          case "the environment is read as the runtime reads it" in_the_environment;
          case "our size is not taken for the user's" ours_is_not_the_user's;
          case "what was asked for another pool is not the user's" asked_is_not_the_user's;
          case "the user's is known in the domains of pools" the_user's_is_known_in_domains_of_pools;
          case "what is held ends" holds;
          case "what is held lasts while a worker gets its size" holds_and_use;
          case "only the domain itself ends what it holds" elsewhere;
        ] );
    ]
