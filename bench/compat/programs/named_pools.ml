(* Several pools at once, some with names. *)

open Domainslib

let is_found name pool = match Task.lookup_pool name with Some found -> found == pool | None -> false
let found name = match Task.lookup_pool name with Some _ -> "there" | None -> "not there"
let sum pool n = Task.parallel_for_reduce pool ( + ) 0 ~start:1 ~finish:n ~body:Fun.id

let run ~domains ~size =
  Printf.printf "before: %s\n" (found "red");
  let red = Task.setup_pool ~name:"red" ~num_domains:(domains - 1) () in
  let blue = Task.setup_pool ~name:"blue" ~num_domains:1 () in
  let nameless = Task.setup_pool ~num_domains:2 () in
  Printf.printf "red %s, blue %s, green %s\n" (found "red") (found "blue") (found "green");
  Printf.printf "the same: %b %b\n" (is_found "red" red) (is_found "blue" blue);
  Printf.printf "domains: blue %d, nameless %d\n" (Task.get_num_domains blue) (Task.get_num_domains nameless);
  let results = List.map (fun p -> Task.run p (fun () -> sum p size)) [ red; blue; nameless ] in
  Printf.printf "sums: %s\n" (String.concat " " (List.map string_of_int results));
  (* The youngest of that name is found; then the elder again. *)
  let younger = Task.setup_pool ~name:"red" ~num_domains:0 () in
  Printf.printf "two reds, the younger found: %b\n" (is_found "red" younger);
  Task.teardown_pool younger;
  Printf.printf "one red, the elder found: %b\n" (is_found "red" red);
  List.iter Task.teardown_pool [ red; blue; nameless ];
  Printf.printf "after: red %s, blue %s\n" (found "red") (found "blue")
