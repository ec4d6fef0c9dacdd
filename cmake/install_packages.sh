# Sourced by the run scripts. install_packages PACKAGE...: installs the Debian packages that are missing.
install_packages() {
  local package missing=() as_root=()
  if ! command -v dpkg-query apt-get >/dev/null; then
    echo "This is not Debian: the packages $* are taken to be there under other names."
    return
  fi
  for package in "$@"; do
    if [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" != installed ]; then missing+=("$package"); fi
  done
  if [ ${#missing[@]} = 0 ]; then return; fi
  if [ "$(id -u)" != 0 ]; then as_root=(sudo); fi
  if [ "$(id -u)" != 0 ] && ! command -v sudo >/dev/null; then
    echo "These packages are missing, and installing them takes root or sudo: ${missing[*]}" >&2
    return 1
  fi
  echo "installing ${missing[*]}"
  if ! "${as_root[@]}" apt-get -qq update ||
    ! "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq install --no-install-recommends "${missing[@]}" \
      </dev/null >/dev/null; then
    echo "These packages could not be installed: ${missing[*]}" >&2
    return 1
  fi
}
