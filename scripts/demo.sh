#!/usr/bin/env bash
# The main job on real input: `make demo` builds the command and calls this.
set -euo pipefail
cd "$(dirname "$0")/.."
weft=${1:-build/release/tools/weft}
ranks=4
mesh=/usr/share/doc/libmetis-dev/examples/graphs/mdual.graph
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LC_ALL=${LC_ALL:-C.UTF-8}

show() {
    printf '\n\033[1m$ weft'
    printf ' %s' "$@"
    printf '\033[0m\n'
    "$weft" "$@"
}

if [ ! -r "$mesh" ]; then
    # Images without documentation leave it out when they install the package.
    echo "demo: $mesh is missing; a random graph of the same size takes its place" >&2
    mesh=$work/erdos-renyi.txt
    "$weft" -n $ranks generate erdos-renyi --vertices 258569 --average-degree 4 --out "$mesh" --quiet
fi
rmat=$work/rmat18.txt
show -n $ranks generate rmat --scale 18 --out "$rmat"
show -n $ranks components "$mesh" --labels "$work/labels.txt"
show -n $ranks degrees "$mesh"
show -n $ranks components "$rmat"
show -n $ranks degrees "$rmat"
echo "The first labels of the mesh, \`vertex component\`:"
head -n 3 "$work/labels.txt"
