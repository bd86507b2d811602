type t = string

let text = Text.html
let raw html = html
let nothing = ""
let all = String.concat ""

let element ?(attributes = []) name children =
  let attribute (key, value) = Printf.sprintf " %s=\"%s\"" key (Text.html value) in
  Printf.sprintf "<%s%s>%s</%s>" name (all (List.map attribute attributes)) (all children) name

let paragraph = function "" -> nothing | words -> element "p" [ text words ] ^ "\n"

let table ?of_class ~head ~numbers rows =
  let class_of i = if numbers i then [ ("class", "n") ] else [] in
  let cell name i content = element ~attributes:(class_of i) name [ content ] in
  let line name cells = element "tr" (List.mapi (cell name) cells) ^ "\n" in
  let attributes = match of_class with None -> [] | Some name -> [ ("class", name) ] in
  element "div"
    ~attributes:[ ("class", "scroll") ]
    [
      element "table" ~attributes
        [ element "thead" [ line "th" (List.map text head) ]; element "tbody" (List.map (line "td") rows) ];
    ]
  ^ "\n"

let to_string html = html
