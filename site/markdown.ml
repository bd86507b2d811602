let html path = Files.output_of [ "cmark-gfm"; "-e"; "table"; path ]

let slugs () =
  let used = Hashtbl.create 16 in
  fun heading ->
    let b = Buffer.create 32 in
    String.iter
      (function
        | ('a' .. 'z' | '0' .. '9' | '-' | '_') as c -> Buffer.add_char b c
        | 'A' .. 'Z' as c -> Buffer.add_char b (Char.lowercase_ascii c)
        | ' ' -> Buffer.add_char b '-'
        | _ -> ())
      (String.trim heading);
    let slug = Buffer.contents b in
    match Hashtbl.find_opt used slug with
    | None ->
        Hashtbl.add used slug 0;
        slug
    | Some n ->
        Hashtbl.replace used slug (n + 1);
        Printf.sprintf "%s-%d" slug (n + 1)
