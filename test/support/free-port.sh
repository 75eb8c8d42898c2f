# Sourced by the scripts that start servers for tests. Prints a free port of this machine. It is below those that Linux
# and macOS give to outgoing connections, and random, so that servers that start at the same time rarely choose the same.
free_port() {
  local port
  while port=$((20000 + RANDOM % 12000)) && (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do :; done
  echo "$port"
}

# Runs `start_at PORT`, which the script defines, on up to five free ports, until it succeeds.
start_at_free_port() {
  local try
  for try in 1 2 3 4 5; do start_at "$(free_port)" && return; done
  return 1
}
