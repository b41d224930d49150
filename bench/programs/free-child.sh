#!/bin/bash
# free-child.c for a machine without a C compiler; bash, for its /dev/tcp.
frame=$1 mode=$2
for word in "$@"; do
  case $word in
    --comm=*) exec 3<>"/dev/tcp/${word:7:9}/${word##*:}" ;;
    --logs=*) exec 4<>"/dev/tcp/${word:7:9}/${word##*:}" ;;
  esac
done
read_frame() {
  local prefix
  prefix=$(head -c 4 <&3 | od -An -tu1) && set -- $prefix
  head -c $((($1 << 24) + ($2 << 16) + ($3 << 8) + $4)) <&3 >/dev/null
}
read_frame
if [ "$mode" = stay ]; then
  cat <&3 >/dev/null
  exit
fi
cat "$frame" >&3
read_frame
