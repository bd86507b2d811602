open Weft_completion

let stop message =
  prerr_endline ("write_completion: " ^ message);
  exit 1

let page file =
  try Help_page.parse (In_channel.with_open_bin file In_channel.input_all)
  with Failure reason | Sys_error reason -> stop (Printf.sprintf "%s: %s" file reason)

let () =
  match Array.to_list Sys.argv with
  | _ :: shell :: (_ :: _ as files) ->
      let script =
        match shell with
        | "bash" -> Bash.script
        | "zsh" -> Zsh.script
        | _ -> stop (shell ^ " is neither bash nor zsh")
      in
      let by_words (a : Help_page.t) (b : Help_page.t) = compare a.words b.words in
      print_string (script (List.sort by_words (List.map page files)))
  | _ -> stop "say bash or zsh, and the pages"
