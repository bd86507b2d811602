/* Small files at once: see system_files.mli. */
#include <caml/mlvalues.h>
#include <caml/alloc.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

enum { SMALL = 8192 };

/* How many bytes there are, up to [SMALL]; -1 if they cannot be read. */
static ssize_t read_file(const char *path, char *content)
{
  ssize_t got, length = 0;
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return -1;
  do {
    got = read(fd, content + length, SMALL - length);
    if (got > 0) length += got;
  } while (length < SMALL && (got > 0 || (got < 0 && errno == EINTR)));
  close(fd);
  return got < 0 ? -1 : length;
}

/* The content; what is not shorter than [SMALL] may be cut there. The runtime is not released: who does that may wait for a
   processor, or for another thread of the domain to give the runtime back, far longer than these files take. */
value weft_read_small_file(value path)
{
  char content[SMALL];
  ssize_t length = caml_string_is_c_safe(path) ? read_file(String_val(path), content) : -1;
  return length < 0 ? Val_none : caml_alloc_some(caml_alloc_initialized_string(length, content));
}

value weft_small_file(value unit) { return Val_int(SMALL); }
