#!/bin/sh
# Runs a command of Herald as herald.service would: with its user, its settings and its folders. As root:
#
#   deploy/as-unit.sh doctor
set -eu
unit=${HERALD_UNIT:-herald.service}
setting() { systemctl show --value --property="$1" "$unit"; }

user=$(setting User)
folder=$(setting WorkingDirectory)
if [ -z "$user" ] || [ -z "$folder" ]; then
  echo "as-unit.sh: systemd knows no $unit with a user and a folder. HERALD_UNIT names another one." >&2
  exit 1
fi
# As for systemd itself, what a file of settings says counts for more than what the unit says. The unit has no secrets.
own=$(mktemp)
trap 'rm -f "$own"' EXIT
chmod 644 "$own"
setting Environment | tr ' ' '\n' >"$own"
set -- "$folder/dist/main.js" "$@"
for file in $(setting EnvironmentFiles | sed 's/ (ignore_errors=.*)//'); do set -- "--env-file=$file" "$@"; done
cd "$folder"
setpriv --reuid="$user" --regid="$user" --init-groups env -i PATH="$PATH" /usr/bin/node "--env-file=$own" "$@"
