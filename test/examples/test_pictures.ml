(* The example programs mandelbrot and raytracer: their files are pictures, the same for every number of
   domains. *)

(* --- a file, read by other code than the one that wrote it --- *)

let crc_of text =
  let step crc byte =
    let bit crc _ = if crc land 1 = 1 then (crc lsr 1) lxor 0xedb88320 else crc lsr 1 in
    List.fold_left bit (crc lxor Char.code byte) [ 0; 1; 2; 3; 4; 5; 6; 7 ]
  in
  String.fold_left step 0xffffffff text lxor 0xffffffff

let int32 text at = Int32.to_int (String.get_int32_be text at) land 0xffffffff

(* The name and data of each chunk. *)
let chunks text =
  Alcotest.(check string) "signature" "\x89PNG\r\n\x1a\n" (String.sub text 0 8);
  let rec from at =
    if at = String.length text then []
    else
      let length = int32 text at in
      let named = String.sub text (at + 4) (4 + length) in
      Alcotest.(check int) "checksum" (crc_of named) (int32 text (at + 8 + length));
      (String.sub named 0 4, String.sub named 4 length) :: from (at + 12 + length)
  in
  from 8

(* The content of stored blocks. *)
let inflated data =
  Alcotest.(check int) "header of zlib" 0 (String.get_uint16_be data 0 mod 31);
  let all = Buffer.create (String.length data) in
  let rec block at =
    let length = String.get_uint16_le data (at + 1) in
    Alcotest.(check int) "complement" 0xffff (length lxor String.get_uint16_le data (at + 3));
    Buffer.add_substring all data (at + 5) length;
    if data.[at] = '\000' then block (at + 5 + length) else at + 5 + length
  in
  let last = block 2 in
  Alcotest.(check int) "nothing behind" (String.length data) (last + 4);
  let a = ref 1 and b = ref 0 in
  String.iter
    (fun c ->
      a := (!a + Char.code c) mod 65521;
      b := (!b + !a) mod 65521)
    (Buffer.contents all);
  Alcotest.(check int) "sum" ((!b * 65536) + !a) (int32 data last);
  Buffer.contents all

(* Width, height, and the colour of each pixel. *)
let decoded text =
  match chunks text with
  | [ ("IHDR", header); ("IDAT", data); ("IEND", "") ] ->
      let width = int32 header 0 and height = int32 header 4 in
      Alcotest.(check string) "kind" "\x08\x02\x00\x00\x00" (String.sub header 8 5);
      let rows = inflated data in
      let row = (3 * width) + 1 in
      Alcotest.(check int) "size" (row * height) (String.length rows);
      (width, height, fun x y -> String.sub rows ((y * row) + 1 + (3 * x)) 3)
  | found -> Alcotest.failf "chunks %s" (String.concat " " (List.map fst found))

let in_folder f = Testing.Folder.within "pictures" f

(* --- the library --- *)

let pixels_are_where_they_were_set () =
  (* 200 rows of 200 pixels need two blocks. *)
  List.iter
    (fun (width, height) ->
      let picture = Png.create ~width ~height in
      let colour x y = (x land 255, y land 255, x * y land 255) in
      for x = 0 to width - 1 do
        for y = 0 to height - 1 do
          let red, green, blue = colour x y in
          Png.set picture ~x ~y ~red ~green ~blue
        done
      done;
      let w, h, at = decoded (Png.to_string picture) in
      Alcotest.(check (pair int int)) "size" (width, height) (w, h);
      for x = 0 to width - 1 do
        for y = 0 to height - 1 do
          let found = at x y in
          if (Char.code found.[0], Char.code found.[1], Char.code found.[2]) <> colour x y then
            Alcotest.failf "%d, %d" x y
        done
      done)
    [ (1, 1); (3, 2); (200, 200) ]

(* --- the programs --- *)

let drawn name arguments path =
  let answer = Program.run name (path :: arguments) in
  Alcotest.(check (pair int string)) "exit code" (0, "") (answer.code, answer.err);
  (answer.out, Program.lines answer.out, In_channel.with_open_bin path In_channel.input_all)

let pictures_do_not_depend_on_the_domains name ~crc arguments () =
  in_folder @@ fun folder ->
  let path = Filename.concat folder "picture.png" in
  let first = ref "" in
  List.iter
    (fun domains ->
      (* The second and third pictures replace the first. *)
      let out, _, text = drawn name (arguments @ [ "--domains"; domains ]) path in
      Alcotest.(check string) "output" ("60 x 41 points, CRC-32 of the pixels " ^ crc ^ "\n") out;
      if !first = "" then first := text;
      Alcotest.(check bool) "file" true (text = !first))
    [ "1"; "2"; "4" ];
  Alcotest.(check (array string)) "nothing else is left" [| "picture.png" |] (Sys.readdir folder);
  let width, height, _ = decoded !first in
  Alcotest.(check (pair int int)) "size" (60, 41) (width, height)

let the_set_is_black_and_symmetric () =
  in_folder @@ fun folder ->
  let path = Filename.concat folder "m.png" in
  let _, _, text = drawn "mandelbrot" [ "--width"; "64"; "--height"; "64"; "--view=-0.5,0,4" ] path in
  let _, _, at = decoded text in
  (* Pixel 32, 32 is the number -0.5; a pixel is a sixteenth wide. *)
  let black = "\000\000\000" in
  Alcotest.(check string) "the middle" black (at 32 32);
  Alcotest.(check string) "-1" black (at 24 32);
  Alcotest.(check bool) "1" true (at 56 32 <> black);
  Alcotest.(check bool) "i + 0.25" true (at 44 16 <> black);
  for x = 0 to 63 do
    for y = 1 to 63 do
      Alcotest.(check string) "mirrored" (at x y) (at x (64 - y))
    done
  done

let what_cannot_be_written_is_named name () =
  in_folder @@ fun folder ->
  let missing = Filename.concat folder "missing/a.png" in
  let small path = [ path; "--width"; "2"; "--height"; "2" ] in
  Program.check_one_line "missing" ~code:2
    [ Printf.sprintf "%s: %s: No such file or directory" name missing ]
    (Program.run name (small missing));
  Program.check_one_line "a folder" ~code:2
    [ Printf.sprintf "%s: %s: not a file" name folder ]
    (Program.run name (small folder));
  Alcotest.(check (array string)) "nothing is left" [||] (Sys.readdir folder);
  Program.check_unwritable name (small (Filename.concat folder "a.png"))

let wrong_options_are_refused () =
  List.iter
    (fun (name, arguments) -> Program.check_refused name arguments)
    [
      ("mandelbrot", []);
      ("mandelbrot", [ "a"; "--width"; "0" ]);
      ("mandelbrot", [ "a"; "--height"; "10001" ]);
      ("mandelbrot", [ "a"; "--iterations"; "0" ]);
      ("mandelbrot", [ "a"; "--view=1,2" ]);
      ("mandelbrot", [ "a"; "--view=1,nan,1" ]);
      ("mandelbrot", [ "a"; "--view=1,1,0" ]);
      ("raytracer", [ "a"; "b" ]);
      ("raytracer", [ "a"; "--balls"; "-1" ]);
      ("raytracer", [ "a"; "--bounces"; "51" ]);
    ]

let () =
  let test name f = Testing.Watchdog.case name f in
  let small = [ "--width"; "60"; "--height"; "41" ] in
  Alcotest.run "pictures"
    [
      ("png", [ test "pixels are where they were set" pixels_are_where_they_were_set ]);
      ( "mandelbrot",
        [
          test "the same for every number of domains"
            (pictures_do_not_depend_on_the_domains "mandelbrot" ~crc:"d07adb06" small);
          test "the set is black and symmetric" the_set_is_black_and_symmetric;
          test "what cannot be written is named" (what_cannot_be_written_is_named "mandelbrot");
        ] );
      ( "raytracer",
        [
          test "the same for every number of domains"
            (pictures_do_not_depend_on_the_domains "raytracer" ~crc:"c9c1d481" small);
          test "what cannot be written is named" (what_cannot_be_written_is_named "raytracer");
        ] );
      ("options", [ test "wrong options are refused" wrong_options_are_refused ]);
    ]
