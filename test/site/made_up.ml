module Files = Weft_site.Files

let with_folder files f =
  Testing.Folder.within "weft-site" @@ fun folder ->
  List.iter (fun (path, text) -> Files.write (Filename.concat folder path) text) files;
  f folder

let contains = Testing.Text.contains
let contain part text = if not (contains part text) then Alcotest.failf "%S is not in %S" part text

let spec id comment =
  let kind =
    match String.index_opt id '-' with
    | Some i when String.sub id 0 i = "val" -> "value"
    | Some i -> String.sub id 0 i
    | None -> ""
  in
  let comment = if comment = "" then "" else "<div class=\"spec-doc\"><p>" ^ comment ^ "</p></div>" in
  Printf.sprintf
    "<div class=\"odoc-spec\"><div class=\"spec %s anchored\" id=\"%s\"><a href=\"#%s\" \
     class=\"anchor\"></a><code>...</code></div>%s</div>"
    kind id id comment

let alias name address =
  Printf.sprintf
    "<div class=\"odoc-spec\"><div class=\"spec module anchored\" id=\"module-%s\"><a href=\"#module-%s\" \
     class=\"anchor\"></a><code><span><span class=\"keyword\">module</span> %s</span><span> = <a \
     href=\"%s\">Inner</a></span></code></div></div>"
    name name name address
