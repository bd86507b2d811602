let of_expression _ = None
