/* Holds the lock of its domain for ever. */

#include <unistd.h>
#include <caml/mlvalues.h>

value stuck_for_ever(value unit) {
  for (;;) pause();
  return unit;
}
