type t = {
  name : string;
  doc : string;
  own : string option;
  chunks : bool;
  least_domains : int;
  greatest_fib : int option;
}

let sequential name language =
  {
    name;
    doc = Printf.sprintf "the plain program in %s" language;
    own = None;
    chunks = true;
    least_domains = 1;
    greatest_fib = None;
  }

let parallel ?(chunks = true) ?(least_domains = 1) ?greatest_fib ~own name doc =
  { name; doc; own = Some own; chunks; least_domains; greatest_fib }

let all =
  [
    sequential "sequential-gcc" "C++, by g++";
    sequential "sequential-clang" "C++, by clang++";
    sequential "sequential-rust" "Rust";
    sequential "sequential-go" "Go";
    sequential "sequential-java" "Java";
    parallel "tbb" ~own:"sequential-gcc"
      "C++ with oneTBB: parallel_invoke, parallel_for, parallel_reduce; by g++";
    parallel "taskflow" ~greatest_fib:25 ~own:"sequential-gcc"
      "C++ with Taskflow: subflows, for_each_index, reduce; by g++";
    parallel "openmp-gcc" ~own:"sequential-gcc" "C++ with OpenMP tasks and loops, by g++";
    parallel "openmp-clang" ~own:"sequential-clang" "C++ with OpenMP tasks and loops, by clang++";
    parallel "rayon" ~own:"sequential-rust" "Rust with rayon: join, parallel iterators";
    parallel "chili" ~least_domains:2 ~own:"sequential-rust" "Rust with chili: join; loops by halving";
    parallel "go" ~greatest_fib:25 ~own:"sequential-go"
      "Go: a goroutine for one side of each fork; loops shared by goroutines";
    parallel "java" ~chunks:false ~own:"sequential-java"
      "Java: RecursiveTask in a ForkJoinPool; parallel streams";
  ]

(* {1 Where they are} *)

let built = "bench/foreign/_built"
let is_folder path = try Sys.is_directory path with Sys_error _ -> false

(* [up_to part path] is the part of [path] before the first [part]. *)
let up_to part path =
  let n = String.length part in
  let rec at i =
    if i + n > String.length path then None
    else if String.equal (String.sub path i n) part then Some (String.sub path 0 i)
    else at (i + 1)
  in
  at 0

let folder () =
  match Sys.getenv_opt "WEFT_RIVALS" with
  | Some folder when folder <> "" -> Some folder
  | _ ->
      let executable =
        try Unix.realpath Sys.executable_name with Unix.Unix_error _ -> Sys.executable_name
      in
      let roots = Option.to_list (up_to "/_build/" executable) @ [ Filename.current_dir_name ] in
      List.find_opt is_folder (List.map (fun root -> Filename.concat root built) roots)

let not_built = "not built (see 'make rivals')"

let first_line path =
  match In_channel.with_open_bin path In_channel.input_line with
  | Some line when String.trim line <> "" -> Some (String.trim line)
  | _ | (exception Sys_error _) -> None

let version ~folder name =
  Option.bind folder (fun folder -> first_line (Filename.concat (Filename.concat folder "versions") name))

let find ~folder { name; _ } =
  match folder with
  | None -> Error not_built
  | Some folder -> (
      let program = Filename.concat (Filename.concat folder "bin") name in
      match Unix.access program [ X_OK ] with
      | () -> Ok program
      | exception Unix.Unix_error _ ->
          let note = Filename.concat (Filename.concat folder "missing") name in
          Error (Option.value (first_line note) ~default:not_built))
