open Testing

let tables =
  List.concat
    [
      Collections.tables;
      Waiting.tables;
      Tasks.tables;
      Structures.tables;
      Own.tables;
      Databases.tables;
      Logs.tables;
      Containers.tables;
      Foreign.tables;
    ]

(* --- none is left out --- *)

let files = List.concat_map (fun (t : Table.t) -> t.files) tables
let others = ("signatures", [ "lib/batch/structures.mli"; "lib/batch/batched_maps.mli" ]) :: Containers.parts

let all_have_a_table () =
  let known = files @ List.concat_map snd others in
  let public = Interface.public () in
  Alcotest.(check bool) (Printf.sprintf "%d interfaces" (List.length public)) true (List.length public > 80);
  let names what = function [] -> () | files -> Alcotest.failf "%s: %s" what (String.concat ", " files) in
  names "no table" (List.filter (fun f -> (not (List.mem f known)) && (Interface.read f).values <> []) public);
  names "not public" (List.filter (fun f -> not (List.mem f public)) known)

let () =
  let of_table (t : Table.t) =
    let name = String.sub t.prefix 0 (String.length t.prefix - 1) in
    [
      Watchdog.case name (fun () -> Table.check t);
      Watchdog.case (name ^ ": none is missing") (fun () -> Table.check_complete t);
      Watchdog.case (name ^ ": all is stated") (fun () -> Table.check_stated t);
    ]
  in
  Alcotest.run "costs"
    [
      ("tables", List.concat_map of_table tables);
      ("more", Collections.tests @ Structures.tests @ Databases.tests);
      ("polls", Polls.tests tables);
      ("all", [ Watchdog.case "public interfaces have a table" all_have_a_table ]);
    ]
