open Testing

type answer = { code : int; out : string; err : string }

let path name = Filename.concat (Sys.getcwd ()) (Printf.sprintf "../../examples/%s/%s.exe" name name)
let contains text part = Text.contains part text
let lines = Text.lines

let in_file text f =
  Child.with_temp_file (fun path ->
      Out_channel.with_open_bin path (fun channel -> output_string channel text);
      f path)

let answer ({ code; out; err; _ } : Child.ended) = { code; out; err }
let run ?env ?stdin ?stdout name arguments = answer (Child.run ?env ?stdin ?stdout (path name) arguments)

let check_answer what expected found =
  Alcotest.(check (triple int string string))
    what
    (expected.code, expected.out, expected.err)
    (found.code, found.out, found.err)

let check_one_line what ~code parts answer =
  Alcotest.(check (pair int string)) what (code, "") (answer.code, answer.out);
  Alcotest.(check int) (what ^ ": lines on standard error") 1 (List.length (lines answer.err));
  List.iter
    (fun part ->
      if not (contains answer.err part) then Alcotest.failf "%s: %S is not in %S" what part answer.err)
    parts

let check_refused name arguments =
  let what = String.concat " " (name :: arguments) in
  let answer = run name arguments in
  Alcotest.(check (pair int string)) what (124, "") (answer.code, answer.out);
  Alcotest.(check bool)
    (what ^ ": says who") true
    (List.exists (String.starts_with ~prefix:(name ^ ": ")) (lines answer.err))

let check_unwritable name arguments =
  let check what stdout =
    check_one_line what ~code:2 [ name ^ ": cannot write the result: " ] (run ~stdout name arguments)
  in
  check "closed" Closed;
  if Sys.file_exists "/dev/full" then check "full" (To "/dev/full")
