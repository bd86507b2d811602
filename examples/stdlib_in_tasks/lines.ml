(* Eight tasks on two domains write 250 lines each through [Logs], and find the first word of 250 texts each with [Str]: each line
   is whole, each word is right. [lines.exe careless] leaves out what that takes: lines break or tasks raise, and hardly a word is right. *)

let tasks = 8
let each = 250
let careless = Array.length Sys.argv > 1 && Sys.argv.(1) = "careless"
let all task = Weft.run ~domains:2 (fun () -> Weft.all_settled (List.init tasks (fun i () -> task i)))

let say name n what settled =
  let raised = List.length (List.filter Result.is_error settled) in
  Printf.printf "%-5s %d of %d %s, %d of %d tasks raised\n" name n (tasks * each) what raised tasks

(* --- Logs --- *)

let line i k = Printf.sprintf "task %d says line %d of its lines" i k

let lines () =
  let written = Buffer.create 100_000 in
  let out = Format.formatter_of_buffer written in
  Logs.set_reporter (Logs.format_reporter ~pp_header:(fun _ _ -> ()) ~app:out ~dst:out ());
  if not careless then Logs_threaded.enable ();
  let task i =
    for k = 1 to each do
      Logs.app (fun m -> m "task %d says line %d of its lines" i k)
    done
  in
  let settled = all task in
  (try Format.pp_print_flush out () with _ when careless -> ());
  let found = Hashtbl.create 2_000 in
  List.iter (fun l -> Hashtbl.replace found l ()) (String.split_on_char '\n' (Buffer.contents written));
  let count i = List.length (List.filter (fun k -> Hashtbl.mem found (line i k)) (List.init each succ)) in
  let whole = List.fold_left (fun n i -> n + count i) 0 (List.init tasks Fun.id) in
  say "Logs" whole "lines are whole" settled

(* --- Str --- *)

let word = Str.regexp "[a-z]+"

let first_word text =
  if not (Str.string_match word text 0) then ""
  else if careless then begin
    Weft.yield ();
    try Str.matched_group 0 text with Invalid_argument _ | Not_found -> ""
  end
  else begin
    let found = Str.matched_group 0 text in
    Weft.yield ();
    found
  end

let words () =
  let task i =
    let expected = String.make (i + 1) 'x' in
    let text = expected ^ " and more" in
    List.length (List.filter (fun _ -> first_word text = expected) (List.init each Fun.id))
  in
  let settled = all task in
  say "Str"
    (List.fold_left (fun n -> Result.fold ~ok:(( + ) n) ~error:(fun _ -> n)) 0 settled)
    "words are right" settled

let () =
  lines ();
  words ()
