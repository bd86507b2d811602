(* Eight tasks on two domains write 250 lines each through [Printf], [Format] and [Logs], and find the first word of 250 texts each with
   [Str]: each line is whole, each word is right. [lines.exe careless] leaves out what that takes: lines break or tasks raise, and
   hardly a word is right. *)

let tasks = 8
let each = 250
let careless = Array.length Sys.argv > 1 && Sys.argv.(1) = "careless"
let all task = Weft.run ~domains:2 (fun () -> Weft.all_settled (List.init tasks (fun i () -> task i)))

let say name n what settled =
  let raised = List.length (List.filter Result.is_error settled) in
  Printf.printf "%-6s %d of %d %s, %d of %d tasks raised\n%!" name n (tasks * each) what raised tasks

(* --- lines --- *)

let line i k = Printf.sprintf "task %d says line %d of its lines" i k

let count_whole name text settled =
  let found = Hashtbl.create 2_000 in
  List.iter (fun l -> Hashtbl.replace found l ()) (String.split_on_char '\n' text);
  let count i = List.length (List.filter (fun k -> Hashtbl.mem found (line i k)) (List.init each succ)) in
  let whole = List.fold_left (fun n i -> n + count i) 0 (List.init tasks Fun.id) in
  say name whole "lines are whole" settled

let all_lines write =
  all (fun i ->
      for k = 1 to each do
        write i k
      done)

let printf () =
  let name, out = Filename.open_temp_file "lines" "" in
  let write i k =
    if careless then Printf.fprintf out "task %d says line %d of its lines\n" i k
    else output_string out (Printf.sprintf "task %d says line %d of its lines\n" i k)
  in
  let settled = all_lines write in
  close_out out;
  let text = In_channel.with_open_bin name In_channel.input_all in
  Sys.remove name;
  count_whole "Printf" text settled

(* The formatter of a buffer, as all tasks see it. *)
let format () =
  let written = Buffer.create 100_000 in
  let out = Format.formatter_of_buffer written and lock = Weft.Mutex.create () in
  let write i k =
    if careless then Format.fprintf out "task %d says line %d of its lines@." i k
    else begin
      let text = Format.asprintf "task %d says line %d of its lines@." i k in
      Weft.Mutex.protect lock (fun () -> Buffer.add_string written text)
    end
  in
  let settled = all_lines write in
  count_whole "Format" (Buffer.contents written) settled

let logs () =
  let written = Buffer.create 100_000 in
  let out = Format.formatter_of_buffer written in
  Logs.set_reporter (Logs.format_reporter ~pp_header:(fun _ _ -> ()) ~app:out ~dst:out ());
  if not careless then Logs_threaded.enable ();
  let settled = all_lines (fun i k -> Logs.app (fun m -> m "task %d says line %d of its lines" i k)) in
  (try Format.pp_print_flush out () with _ when careless -> ());
  count_whole "Logs" (Buffer.contents written) settled

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
  printf ();
  format ();
  logs ();
  words ()
