type redirection = { stdin : Unix.file_descr; stdout : Unix.file_descr; stderr : Unix.file_descr }

external start_stub : string array -> string array option -> redirection -> bool -> int = "weft_spawn"

let start ~env ~group ~redirect command = start_stub command env redirect group
