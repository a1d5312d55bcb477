#!/bin/sh
# Makes `../codemirror.js` of the packages that `package-lock.json` names. It needs Node.js and npm, and
# the network if the packages are not in npm's cache. Usage: bundle.sh [FOLDER FOR PACKAGES] [OUTPUT]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=${1:-$here/../../../../target/codemirror}
output=${2:-$here/../codemirror.js}
mkdir -p "$work"
cp "$here/package.json" "$here/package-lock.json" "$here/parts.js" "$here/licences.js" "$work/"
cd "$work"
npm ci --ignore-scripts --no-audit --no-fund --silent
node licences.js > licences.txt
npx esbuild parts.js --bundle --minify --format=iife --global-name=CM --target=es2022 --legal-comments=none \
    --outfile=bundled.js --log-level=warning
cat licences.txt bundled.js > "$output"
