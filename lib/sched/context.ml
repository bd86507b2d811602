exception Cancelled of string
exception Timeout
