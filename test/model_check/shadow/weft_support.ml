module First_field = First_field
module Identity = Identity
