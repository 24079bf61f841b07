#!/bin/sh
# Runs an operator command as potluck.service runs: as its user, with its variables, and able to write to its folder and /tmp alone.
# As root: /opt/potluck/deploy/as-service.sh admin list
exec systemd-run --quiet --pipe --wait --collect \
  -p DynamicUser=yes -p User=potluck -p StateDirectory=potluck -p WorkingDirectory=/opt/potluck \
  -p EnvironmentFile=/etc/potluck.env -p "Environment=NODE_ENV=production DATA_DIR=/var/lib/potluck HOME=/tmp" /usr/bin/node potluck.mjs "$@"
