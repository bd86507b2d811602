(* Prints float_loops.ml: the same loops for every kind of array of floats that the compiler reads directly,
   and for bigarrays of any other kind. *)

let template =
  {|
module @NAME = struct
  (* Four independent sums: so an addition need not wait for the one before. [-0.] changes no sum; after
     [0.], the sum of negative zeros would be positive. *)
  let sum (a : @ARRAY) first last =
    let s0 = ref (-0.) and s1 = ref (-0.) and s2 = ref (-0.) and s3 = ref (-0.) in
    let i = ref first in
    while !i + 3 <= last do
      let j = !i in
      s0 := !s0 +. @GET a j;
      s1 := !s1 +. @GET a (j + 1);
      s2 := !s2 +. @GET a (j + 2);
      s3 := !s3 +. @GET a (j + 3);
      i := j + 4
    done;
    for i = !i to last do
      s0 := !s0 +. @GET a i
    done;
    !s0 +. !s1 +. (!s2 +. !s3)

  let dot (a : @ARRAY) (b : @ARRAY) first last =
    let s0 = ref (-0.) and s1 = ref (-0.) and s2 = ref (-0.) and s3 = ref (-0.) in
    let i = ref first in
    while !i + 3 <= last do
      let j = !i in
      s0 := !s0 +. (@GET a j *. @GET b j);
      s1 := !s1 +. (@GET a (j + 1) *. @GET b (j + 1));
      s2 := !s2 +. (@GET a (j + 2) *. @GET b (j + 2));
      s3 := !s3 +. (@GET a (j + 3) *. @GET b (j + 3));
      i := j + 4
    done;
    for i = !i to last do
      s0 := !s0 +. (@GET a i *. @GET b i)
    done;
    !s0 +. !s1 +. (!s2 +. !s3)

  (* [Float.min] and [Float.max] handle zeros and [nan]. *)

  let least (a : @ARRAY) first last =
    let best = ref (@GET a first) in
    for i = first + 1 to last do
      let x = @GET a i in
      if x < !best then best := x else if not (x > !best) then best := Float.min !best x
    done;
    !best

  let greatest (a : @ARRAY) first last =
    let best = ref (@GET a first) in
    for i = first + 1 to last do
      let x = @GET a i in
      if x > !best then best := x else if not (x < !best) then best := Float.max !best x
    done;
    !best
end
|}

let print name array get =
  let rec replace = function
    | [] -> ()
    | part :: rest ->
        let word, value =
          List.find
            (fun (word, _) -> String.starts_with ~prefix:word part)
            [ ("NAME", name); ("ARRAY", array); ("GET", get) ]
        in
        let n = String.length word in
        print_string (value ^ String.sub part n (String.length part - n));
        replace rest
  in
  match String.split_on_char '@' template with
  | [] -> ()
  | first :: rest ->
      print_string first;
      replace rest

let () =
  let bigarray elements = Printf.sprintf "(float, %s, c_layout) Array1.t" elements in
  print_string "open Bigarray\n";
  print "Of_floatarray" "floatarray" "Float.Array.unsafe_get";
  print "Of_float32" (bigarray "float32_elt") "Array1.unsafe_get";
  print "Of_float64" (bigarray "float64_elt") "Array1.unsafe_get";
  print "Of_any" (bigarray "'kind") "Array1.unsafe_get"
