/* A runtime that costs next to nothing: it connects both channels, reads the start-up details,
 * sends one frame and reads the answer.
 *
 *   free-child FRAME_FILE MODE --comm=127.0.0.1:PORT --logs=127.0.0.1:PORT
 *
 * MODE "end" ends then; "stay" stays connected until the other side closes the comm channel, and
 * sends no frame before that. */
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int dial(const char *address) {
  struct sockaddr_in to = {.sin_family = AF_INET};
  to.sin_port = htons(atoi(strrchr(address, ':') + 1));
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int link = socket(AF_INET, SOCK_STREAM, 0);
  if (link < 0 || connect(link, (struct sockaddr *)&to, sizeof to) != 0) _exit(3);
  return link;
}

static void read_all(int link, unsigned char *bytes, size_t length) {
  while (length > 0) {
    ssize_t got = read(link, bytes, length);
    if (got <= 0) _exit(4);
    bytes += got;
    length -= got;
  }
}

static void read_frame(int link) {
  unsigned char prefix[4], chunk[4096];
  read_all(link, prefix, 4);
  size_t left = (size_t)prefix[0] << 24 | prefix[1] << 16 | prefix[2] << 8 | prefix[3];
  while (left > 0) {
    size_t part = left < sizeof chunk ? left : sizeof chunk;
    read_all(link, chunk, part);
    left -= part;
  }
}

int main(int count, char **words) {
  const char *comm_address = 0, *logs_address = 0;
  for (int at = 3; at < count; at++) {
    if (strncmp(words[at], "--comm=", 7) == 0) comm_address = words[at] + 7;
    if (strncmp(words[at], "--logs=", 7) == 0) logs_address = words[at] + 7;
  }
  if (!comm_address || !logs_address) return 2;
  unsigned char frame[4096];
  int file = open(words[1], O_RDONLY);
  ssize_t length = read(file, frame, sizeof frame);
  int comm = dial(comm_address);
  dial(logs_address);
  read_frame(comm);
  if (strcmp(words[2], "stay") == 0) {
    while (read(comm, frame, sizeof frame) > 0) {
    }
    return 0;
  }
  if (length <= 0 || write(comm, frame, length) != length) return 5;
  read_frame(comm);
  return 0;
}
