let () = print_string (Standard_names.Page.text (Standard_names.Modules.all ()))
