module First_field = First_field
